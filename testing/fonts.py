"""Makes fonts for tests with fontTools, and says what fontTools finds in others: a program apart from the service."""
import json
import math
import struct
import sys

from fontTools import subset, varLib
from fontTools.cffLib import FDArrayIndex, FDSelect, FontDict
from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, SourceDescriptor
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont, newTable
from fontTools.ttLib.tables._g_l_y_f import (
    ARGS_ARE_XY_VALUES,
    ROUND_XY_TO_GRID,
    USE_MY_METRICS,
    Glyph,
    GlyphComponent,
)


def subsetted(path, text):
    """The glyphs of a text, with all tables."""
    options = subset.Options()
    options.layout_features = ["*"]
    options.name_IDs = ["*"]
    options.glyph_names = True
    options.notdef_outline = True
    font = subset.load_font(path, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)
    return font


def upright(font):
    """Gives a font vertical metrics."""
    font["vhea"] = vhea = newTable("vhea")
    vhea.tableVersion = 0x00010000
    vhea.ascent, vhea.descent, vhea.lineGap = 1024, -1024, 0
    vhea.advanceHeightMax = 2048
    vhea.minTopSideBearing = vhea.minBottomSideBearing = vhea.yMaxExtent = 0
    vhea.caretSlopeRise, vhea.caretSlopeRun, vhea.caretOffset = 0, 1, 0
    vhea.reserved1 = vhea.reserved2 = vhea.reserved3 = vhea.reserved4 = vhea.metricDataFormat = 0
    vhea.numberOfVMetrics = len(font.getGlyphOrder())
    font["vmtx"] = vmtx = newTable("vmtx")
    vmtx.metrics = {name: (2048, 100 + index) for index, name in enumerate(font.getGlyphOrder())}


def numbered(source, output):
    """A font whose glyphs have numbers instead of names, and two dictionaries that they select in turn."""
    font = TTFont(source)
    for tag in ("GSUB", "GPOS", "GDEF"):
        if tag in font:
            del font[tag]
    top = font["CFF "].cff[0]
    old = font.getGlyphOrder()
    new = [".notdef"] + [f"cid{index:05}" for index in range(1, len(old))]
    names = dict(zip(old, new))
    strings = top.CharStrings
    for name in old:
        strings[name].decompile()
    strings.charStrings = {names[name]: strings.charStrings[name] for name in old}
    font["hmtx"].metrics = {names[name]: metrics for name, metrics in font["hmtx"].metrics.items()}
    for table in font["cmap"].tables:
        table.cmap = {code: names[name] for code, name in table.cmap.items()}
    dicts, private = FDArrayIndex(), top.Private
    for index in range(2):
        part = FontDict()
        part.Private, part.FontName = private, f"Part{index}"
        part.FontMatrix = [0.001, 0, 0, 0.001, 0, 0]
        dicts.append(part)
    select = FDSelect()
    select.format, select.gidArray = 3, [index % 2 for index in range(len(old))]
    top.FDArray, top.FDSelect = strings.fdArray, strings.fdSelect = dicts, select
    top.ROS, top.CIDCount = ("Adobe", "Identity", 0), len(old)
    del top.rawDict["Private"], top.Private
    top.charset = new
    font.setGlyphOrder(new)
    font["post"].formatType = 3
    font.save(output)


def scaled(source, output):
    """A font whose own matrix has another scale than `head`, which renderers ignore."""
    font = TTFont(source)
    top = font["CFF "].cff[0]
    top.FontMatrix = [0.0008, 0, 0, 0.0008, 0, 0]
    font.save(output)


def attached(source, output):
    """
    A variable font without tables for variable metrics, whose glyph V uses the metrics of T, and whose glyph o is T with A at a
    point of it; the height of A varies too.
    """
    font = TTFont(source)
    upright(font)
    del font["HVAR"]
    glyf, gvar = font["glyf"], font["gvar"]
    of = {letter: font.getBestCmap()[ord(letter)] for letter in "AToV"}
    for letter, parts in (("V", "T"), ("o", "TA")):
        name = of[letter]
        glyph = Glyph()
        glyph.numberOfContours, glyph.components = -1, []
        for index, part in enumerate(parts):
            component = GlyphComponent()
            component.glyphName = of[part]
            component.flags = ROUND_XY_TO_GRID
            if index:
                component.firstPt, component.secondPt = 3, 1
            else:
                component.flags |= ARGS_ARE_XY_VALUES | (USE_MY_METRICS if letter == "V" else 0)
                component.x = component.y = 0
            glyph.components.append(component)
        glyf[name] = glyph
        glyph.recalcBounds(glyf)
        font["hmtx"][name] = (font["hmtx"][of["T" if letter == "V" else letter]][0], glyph.xMin + 200 * (letter == "V"))
        gvar.variations[name] = []
    for variation in gvar.variations[of["A"]]:
        variation.coordinates[-2] = (0, 80)
    font.save(output)


def variable_cff(source, output):
    """A font with CFF2 outlines, of which the heavier ones are 30 % wider and slant."""
    document = DesignSpaceDocument()
    document.addAxis(AxisDescriptor(tag="wght", name="Weight", minimum=400, default=400, maximum=900))
    for weight, matrix in ((400, (1, 0, 0, 1, 0, 0)), (900, (1.3, 0, 0.2, 1, 0, 0))):
        font = TTFont(source)
        glyphs, strings = font.getGlyphSet(), font["CFF "].cff[0].CharStrings
        drawn = {}
        for name in font.getGlyphOrder():
            width, bearing = font["hmtx"][name]
            pen = T2CharStringPen(None, None)
            glyphs[name].draw(TransformPen(pen, matrix))
            drawn[name] = pen.getCharString(strings[name].private, strings[name].globalSubrs, optimize=False)
            font["hmtx"][name] = (round(width * matrix[0]), bearing)
        for name, string in drawn.items():
            strings[name] = string
        for tag in ("GSUB", "GPOS", "GDEF"):
            if tag in font:
                del font[tag]
        document.addSource(SourceDescriptor(font=font, name=f"master {weight}", location={"Weight": weight}))
    varLib.build(document)[0].save(output)


def blank(source, output):
    """A font whose glyphs have no outlines."""
    font = TTFont(source)
    for name in font.getGlyphOrder():
        font["glyf"][name] = Glyph()
    font.save(output)


def unlisted(source, output):
    """A font whose last glyph is empty and has no place in `loca`."""
    font = TTFont(source)
    font["glyf"][font.getGlyphOrder()[-1]] = Glyph()
    font.save(output)
    font = TTFont(output)
    data = bytearray(open(output, "rb").read())
    entry = font.reader.tables["loca"]
    size = 4 if font["head"].indexToLocFormat else 2
    at = 12 + 16 * sorted(font.reader.tables).index("loca")
    data[at + 12 : at + 16] = struct.pack(">L", entry.length - size)
    open(output, "wb").write(data)


def make(truetype, cff, variable, text, folder):
    ttf = subsetted(truetype, text)
    upright(ttf)
    ttf.save(f"{folder}/a.ttf")
    otf = subsetted(cff, text)
    otf.save(f"{folder}/a.otf")
    numbered(f"{folder}/a.otf", f"{folder}/numbered.otf")
    scaled(f"{folder}/a.otf", f"{folder}/scaled.otf")
    subsetted(variable, text).save(f"{folder}/variable.ttf")
    attached(f"{folder}/variable.ttf", f"{folder}/attached.ttf")
    variable_cff(f"{folder}/a.otf", f"{folder}/variable.otf")
    blank(f"{folder}/a.ttf", f"{folder}/blank.ttf")
    unlisted(f"{folder}/a.ttf", f"{folder}/unlisted.ttf")
    unnamed = TTFont(f"{folder}/a.ttf")
    unnamed["post"].formatType = 3.0
    unnamed.save(f"{folder}/unnamed.ttf")
    for source in ("ttf", "otf"):
        for flavor in ("woff", "woff2"):
            font = TTFont(f"{folder}/a.{source}")
            font.flavor = flavor
            font.save(f"{folder}/{source}.{flavor}")
    collection = TTCollection()
    collection.fonts = [TTFont(f"{folder}/a.ttf"), TTFont(f"{folder}/a.otf")]
    collection.save(f"{folder}/faces.ttc")
    pictures = TTFont(f"{folder}/a.ttf")
    for tag in ("glyf", "loca", "fpgm", "prep", "cvt ", "gasp"):
        if tag in pictures:
            del pictures[tag]
    pictures["maxp"].tableVersion = 0x00005000
    pictures.save(f"{folder}/pictures.ttf")


def segments(glyphs, name):
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    start = here = None
    for operator, points in pen.value:
        if operator == "moveTo":
            start = here = points[0]
        elif operator == "lineTo":
            yield (here, points[0])
            here = points[0]
        elif operator == "curveTo":
            yield (here, *points)
            here = points[-1]
        elif operator == "qCurveTo":
            controls, end = list(points[:-1]), points[-1]
            if end is None:
                end = tuple((a + b) / 2 for a, b in zip(controls[-1], controls[0]))
                start = here = end
            for index, control in enumerate(controls):
                following = controls[index + 1] if index + 1 < len(controls) else None
                to = tuple((a + b) / 2 for a, b in zip(control, following)) if following else end
                yield (here, control, to)
                here = to
            here = end
        elif operator == "closePath" and here != start:
            yield (here, start)


def at(segment, t):
    points = segment
    while len(points) > 1:
        points = [tuple(a + (b - a) * t for a, b in zip(p, q)) for p, q in zip(points, points[1:])]
    return points[0]


def polylines(glyphs, name, steps):
    """Each segment of an outline as straight lines, with the box around them."""
    for segment in segments(glyphs, name):
        count = 1 if len(segment) == 2 else steps
        points = [at(segment, i / count) for i in range(count + 1)]
        xs, ys = zip(*points)
        yield (min(xs), min(ys), max(xs), max(ys)), list(zip(points, points[1:]))


def distance(point, line):
    (ax, ay), (bx, by) = line
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    t = max(0, min(1, ((point[0] - ax) * dx + (point[1] - ay) * dy) / length)) if length else 0
    return math.hypot(point[0] - ax - t * dx, point[1] - ay - t * dy)


def nearest(point, parts):
    """How far a point is from an outline, looking only at segments whose box is not farther than what was found."""
    x, y = point
    least = math.inf
    for (left, bottom, right, top), lines in parts:
        if math.hypot(max(left - x, 0, x - right), max(bottom - y, 0, y - top)) < least:
            least = min(least, min(distance(point, line) for line in lines))
    return least


def farthest(a, b, name_a, name_b):
    """How far one outline is from the other at most."""
    if list(segments(a, name_a)) == list(segments(b, name_b)):
        return 0
    fine = list(polylines(b, name_b, 32))
    points = [line[0] for _, lines in polylines(a, name_a, 3) for line in lines]
    return max((nearest(point, fine) for point in points), default=0)


def area(glyphs, name):
    pen = AreaPen(glyphs)
    glyphs[name].draw(pen)
    return abs(pen.value)


def compare(source, output, number=0):
    a, b = TTFont(source, fontNumber=number), TTFont(output)
    names_a, names_b = a.getGlyphOrder(), b.getGlyphOrder()
    numbers = lambda font: {code: font.getGlyphID(name) for code, name in font.getBestCmap().items()}
    upem = a["head"].unitsPerEm
    axes = {axis.axisTag: (axis.minValue, axis.maxValue) for axis in a["fvar"].axes} if "fvar" in a and "fvar" in b else {}
    places = [{tag: low + (high - low) * t for tag, (low, high) in axes.items()} for t in (0, 0.4, 1)]
    worst = bulk = widths = 0
    for place in places if axes else [None]:
        ga, gb = (font.getGlyphSet(location=place) for font in (a, b))
        pairs = list(zip(names_a, names_b))
        for x, y in pairs[:: max(1, len(pairs) // (6 if axes else 14))]:
            worst = max(worst, farthest(ga, gb, x, y), farthest(gb, ga, y, x))
        for x, y in pairs:
            widths = max(widths, abs(ga[x].width - gb[y].width))
            bulk = max(bulk, abs(area(ga, x) - area(gb, y)))
    same = [tag for tag in a.keys() if tag in b and tag != "GlyphOrder" and a.getTableData(tag) == b.getTableData(tag)]
    return {
        "lost": sorted(set(a.keys()) - set(b.keys())),
        "gained": sorted(set(b.keys()) - set(a.keys())),
        "same": sorted(same),
        "glyphs": [len(names_a), len(names_b)],
        "named": names_a == names_b,
        "cmap": numbers(a) == numbers(b),
        "widths": widths,
        "distance": worst / upem,
        "area": bulk / upem / upem,
        "flavor": b.flavor,
        "version": b.sfntVersion,
    }


def tables(source, output):
    a, b = TTFont(source), TTFont(output)
    shared = [tag for tag in a.reader.keys() if tag in b.reader]
    return {
        "lost": sorted(set(a.reader.keys()) - set(b.reader.keys())),
        "gained": sorted(set(b.reader.keys()) - set(a.reader.keys())),
        "changed": [tag for tag in shared if a.reader[tag] != b.reader[tag]],
    }


def origins(source, output):
    """Vertical origins of TrueType outlines, and those that the other font tells."""
    a, b = TTFont(source), TTFont(output)
    for index, name in enumerate(a.getGlyphOrder()):
        glyph = a["glyf"][name]
        top = getattr(glyph, "yMax", 0) if glyph.numberOfContours else 0
        yield [a["vmtx"][name][1] + top, b["VORG"][b.getGlyphOrder()[index]]]


def unpack(source, output):
    font = TTFont(source)
    font.flavor = None
    font.save(output, reorderTables=None)


def script_font(path, family, tag, first, last):
    """A font with a box for each letter of a block, which claims to put together those of a script."""
    codes = range(int(first), int(last) + 1)
    names = {code: f"uni{code:04X}" for code in codes}
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap(names)
    pen = TTGlyphPen(None)
    for step, corner in zip([pen.moveTo, pen.lineTo, pen.lineTo, pen.lineTo], [(50, 0), (50, 700), (450, 700), (450, 0)]):
        step(corner)
    pen.closePath()
    box = pen.glyph()
    builder.setupGlyf({name: box for name in builder.font.getGlyphOrder()})
    builder.setupHorizontalMetrics({name: (500, 50) for name in builder.font.getGlyphOrder()})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular", "psName": family.replace(" ", "")})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200)
    builder.setupPost()
    box = names[codes[0]]
    builder.addOpenTypeFeatures(f"languagesystem {tag} dflt; feature ccmp {{ sub {box} by {box}; }} ccmp;")
    builder.save(path)


command, *arguments = sys.argv[1:]
if command == "script":
    script_font(*arguments)
elif command == "make":
    make(*arguments)
elif command == "compare":
    print(json.dumps([compare(source, output, number) for source, output, number in json.loads(arguments[0])]))
elif command == "tables":
    print(json.dumps(tables(*arguments)))
elif command == "origins":
    print(json.dumps(list(origins(*arguments))))
elif command == "unpack":
    for source, output in json.loads(arguments[0]):
        unpack(source, output)
