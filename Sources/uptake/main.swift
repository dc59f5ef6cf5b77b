internal import Console
internal import Glibc

exit(uptake.run(.process(), explain: explain).rawValue)
