"""A plot of lines on logarithmic axes as SVG, written by hand: no packages, the same bytes everywhere."""
import math

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 105, 150, 50, 55
COLOURS = ["#2463c4", "#d9730d", "#1f8a55", "#8b3fb0", "#b3263a"]
INK, PALE, GREY = "#222222", "#e4e4e4", "#777777"
LABEL_APART = 17


class Axis:
    """From numbers to places, with ticks at 1, 2 and 5 where there is room, else at powers of ten."""

    def __init__(self, values, low, high):
        self.low, self.high = math.log10(min(values)), math.log10(max(values))
        if self.high - self.low < 1:  # less than a decade would make noise look like something
            self.high = self.low + 1
        room = 0.04 * (self.high - self.low)
        self.low, self.high = self.low - room, self.high + room
        self.start, self.end = low, high

    def at(self, value):
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        steps = (1, 2, 5) if self.high - self.low < 2.5 else (1,)
        all_ticks = (step * 10 ** power for power in range(math.floor(self.low), math.ceil(self.high) + 1)
                     for step in steps)
        return [tick for tick in all_ticks if self.low <= math.log10(tick) <= self.high]


def text(x, y, words, colour=INK, size=13, anchor="middle", more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" text-anchor="{anchor}"{more}>'
            f"{words}</text>")


def line(x1, y1, x2, y2, colour, more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>'


def frame(title, x_title, y_title, x, y):
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for tick in x.ticks():
        yield line(x.at(tick), TOP, x.at(tick), bottom, PALE)
        yield text(x.at(tick), bottom + 18, f"{tick:,.10g}", GREY, 12)
    for tick in y.ticks():
        yield line(LEFT, y.at(tick), right, y.at(tick), PALE)
        yield text(LEFT - 8, y.at(tick) + 4, f"{tick:,.10g}", GREY, 12, "end")
    yield text(LEFT, 26, title, INK, 16, "start", ' font-weight="bold"')
    yield text((LEFT + right) / 2, HEIGHT - 14, x_title)
    middle = (TOP + bottom) / 2
    yield text(18, middle, y_title, more=f' transform="rotate(-90 18 {middle:.1f})"')


def curve(points, x, y, colour, dashed):
    path = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in points)
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
    for a, b in points if not dashed else ():
        yield f'<circle cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="3" fill="{colour}"/>'


def labels(lines, y):
    """At the right ends of the lines, moved apart where they would cover each other: [place]."""
    order = sorted(range(len(lines)), key=lambda i: y.at(lines[i]["points"][-1][1]))
    places, last = {}, -math.inf
    for i in order:
        last = places[i] = max(y.at(lines[i]["points"][-1][1]), last + LABEL_APART)
    over = max(0, last - (HEIGHT - BOTTOM))
    return [places[i] - over for i in range(len(lines))]


def plot(title, x_title, y_title, lines):
    """lines: a list of {label, points: [(x, y)]}; `dashed` ones are grey guides without marks. The text of an SVG."""
    x = Axis([a for each in lines for a, _ in each["points"]], LEFT, WIDTH - RIGHT)
    y = Axis([b for each in lines for _, b in each["points"]], HEIGHT - BOTTOM, TOP)
    made = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="Helvetica, Arial, sans-serif">', f"<title>{title}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>', *frame(title, x_title, y_title, x, y)]
    colours = iter(COLOURS)
    for each, place in zip(lines, labels(lines, y)):
        colour = GREY if each.get("dashed") else next(colours)
        made += curve(each["points"], x, y, colour, each.get("dashed"))
        made.append(text(WIDTH - RIGHT + 10, place + 4, each["label"], colour, 13, "start"))
    return "\n".join(made + ["</svg>"]) + "\n"
