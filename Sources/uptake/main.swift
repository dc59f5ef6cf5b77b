print("uptake")
