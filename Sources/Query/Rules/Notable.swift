/// Whether so many devices bend what is said of all: fewer are a slip, or leftovers of something else.
func areNotable(_ devices: Int, of all: Int) -> Bool { devices >= 5 && devices * 100 > all }
