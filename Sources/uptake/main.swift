internal import Console
internal import Glibc

openWarehouses()
exit(uptake.run(.process(), explain: explain).rawValue)
