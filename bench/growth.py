"""How the cost of questions grows with the fleet, as a picture: both axes logarithmic, quiet dashed, while events come in solid."""
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 590, 300, 70, 200, 20
COLOURS = ["#0b6e4f", "#c4571b", "#3aa17e", "#c9a100", "#8a3c12"]


def scale(low, high, start, end):
    """From a value to a place; values that are all alike lie in the middle."""
    low, high = math.log10(low), math.log10(high)
    span = (high - low) or 1
    return lambda value: start + (math.log10(value) - low) / span * (end - start)


def powers(low, high):
    return [10.0 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def apart(labels, height=13):
    """From top to bottom, a line's height or more between two of them."""
    placed = []
    for y, *rest in sorted(labels):
        placed.append((max(y, placed[-1][0] + height) if placed else y, *rest))
    return placed


def picture(found):
    """`found` has by number of devices, then by rate, the milliseconds of each question."""
    sizes, rates = sorted(found), sorted(next(iter(found.values())))
    names = [name for name in next(iter(next(iter(found.values())).values())) if name.startswith("`")]
    times = [found[size][rate][name] for size in sizes for rate in rates for name in names]
    ticks = powers(min(times), max(times))
    x, y = scale(sizes[0], sizes[-1], LEFT, WIDTH - RIGHT), scale(ticks[0], ticks[-1], HEIGHT - TOP, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for tick in ticks:
        parts.append(f'<text x="{LEFT - 8}" y="{y(tick) + 4:.0f}" text-anchor="end">{tick:g} ms</text>'
                     f'<path d="M{LEFT},{y(tick):.0f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
    for size in sizes:
        parts.append(f'<text x="{x(size):.0f}" y="{HEIGHT - 3}" text-anchor="middle">{size:,} devices</text>')
    labels = []
    for name, colour in zip(names, COLOURS):
        for rate in rates:
            points = [(x(size), y(found[size][rate][name])) for size in sizes]
            dashes = "" if rate else ' stroke-dasharray="4 3"'
            path = " ".join(f"{left:.0f},{top:.0f}" for left, top in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        labels.append((points[-1][1], points[-1][0] + 6, name.strip("`"), colour))
    parts += [f'<text x="{left:.0f}" y="{top:.0f}" fill="{colour}">{text.split("` ")[0]}</text>'
              for top, left, text, colour in apart(labels)]
    return "\n".join(parts + ["</svg>", ""])
