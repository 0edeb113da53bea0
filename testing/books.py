"""Reads EPUB books for tests with Python's own ZIP and HTML readers, which are no part of the service.

Paths come as arguments; standard output gets a JSON array with what each book holds.
"""
import html.parser
import json
import posixpath
import re
import sys
import urllib.parse
import xml.etree.ElementTree
import zipfile

BLOCKS = set(
    "address article aside blockquote body br caption center col dd details dialog div dl dt figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr html img li main nav ol option p pre section summary table tbody td tfoot th thead tr ul".split()
)
SILENT = {"script", "style", "head", "title", "template"}
VOID = set("area base br col embed hr img input link meta param source track wbr".split())


class Document(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text, self.ids, self.links, self.silent, self.pictures = [], {}, [], [], []
        self.length = 0

    def add(self, text):
        self.text.append(text)
        self.length += len(text)

    def handle_starttag(self, tag, attributes, empty=False):
        tag = tag.split(":")[-1]
        values = dict(attributes)
        if tag in BLOCKS:
            self.add(" ")
        for name in ("id", "name"):
            if values.get(name) and (name == "id" or tag == "a"):
                self.ids.setdefault(values[name], self.length)
        for name in ("href", "src", "xlink:href"):
            if values.get(name) is not None and not self.silent:
                self.links.append([tag, name, values[name], self.length])
        if tag in SILENT and not empty:
            self.silent.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes, True)

    def handle_endtag(self, tag):
        tag = tag.split(":")[-1]
        if tag in BLOCKS:
            self.add(" ")
        if self.silent and tag in self.silent:
            while self.silent.pop() != tag:
                pass

    def handle_data(self, data):
        if not self.silent:
            self.add(data)

    # XHTML has no elements whose content is not parsed.
    def set_cdata_mode(self, tag, **_):
        pass


def decoded(data):
    if data[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def local(tag):
    return tag.split("}")[-1] if isinstance(tag, str) else ""


def resolved(base, reference):
    parts = urllib.parse.urlsplit(reference.strip())
    if parts.scheme or parts.netloc:
        return None
    path = urllib.parse.unquote(parts.path)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(base), path)) if path else base
    return path, urllib.parse.unquote(parts.fragment)


def read(path):
    archive = zipfile.ZipFile(path)
    names = set(archive.namelist())
    container = xml.etree.ElementTree.fromstring(archive.read("META-INF/container.xml"))
    opf = next(e for e in container.iter() if local(e.tag) == "rootfile").get("full-path")
    package = xml.etree.ElementTree.fromstring(archive.read(opf))
    items, metadata = {}, []
    for element in package.iter():
        name = local(element.tag)
        if name == "item":
            target = resolved(opf, element.get("href"))
            items[element.get("id")] = {
                "href": target[0] if target else element.get("href"),
                "type": element.get("media-type"),
                "properties": (element.get("properties") or "").split(),
            }
        elif "purl.org/dc" in str(element.tag) or name == "meta":
            entry = {local(key): value for key, value in element.attrib.items()}
            entry.update(name=name if name != "meta" else entry.get("property") or entry.get("name"), value=entry.get("content") or (element.text or "").strip())
            metadata.append(entry)
    spine_element = next((e for e in package.iter() if local(e.tag) == "spine"), None)
    spine = [items[e.get("idref")]["href"] for e in package.iter() if local(e.tag) == "itemref" and e.get("idref") in items]
    documents = {}
    for item in items.values():
        if item["type"] in ("application/xhtml+xml", "image/svg+xml", "text/html") and item["href"] in names:
            document = Document()
            document.feed(decoded(archive.read(item["href"])))
            document.close()
            documents[item["href"]] = document
    texts = {href: "".join(document.text) for href, document in documents.items()}

    def following(href, fragment):
        if href not in documents:
            return None
        start = documents[href].ids.get(fragment, 0) if fragment else 0
        order = spine.index(href) if href in spine else None
        text = texts[href][start : start + 2000]
        while order is not None and len("".join(text.split())) < 60 and order + 1 < len(spine):
            order += 1
            text += texts.get(spine[order], "")[:2000]
        return "".join(text.split())[:60]

    links, broken, missing = [], [], []
    for href in list(dict.fromkeys(spine + list(documents))):
        for tag, name, reference, at in documents[href].links if href in documents else []:
            target = resolved(href, reference)
            if target is None or reference.startswith("data:"):
                continue
            if target[0] not in names:
                missing.append(f"{href}: {reference}")
            elif tag == "a":
                if target[1] and target[0] in documents and target[1] not in documents[target[0]].ids:
                    broken.append(f"{href}: {reference}")
                links.append({"from": href, "to": reference, "text": following(*target)})

    contents = []
    nav = next((i["href"] for i in items.values() if "nav" in i["properties"]), None)
    if nav in documents:
        root = xml.etree.ElementTree.fromstring(re.sub(rb"&nbsp;", b"&#160;", archive.read(nav)))

        def walk(ol, depth):
            for li in ol:
                label = next((c for c in li if local(c.tag) in ("a", "span")), None)
                if label is not None:
                    target = resolved(nav, label.get("href")) if label.get("href") else None
                    contents.append([depth, " ".join("".join(label.itertext()).split()), following(*target) if target else None])
                for child in li:
                    if local(child.tag) == "ol":
                        walk(child, depth + 1)

        for element in root.iter():
            kind = [value for key, value in element.attrib.items() if local(key) == "type"]
            if local(element.tag) == "nav" and "toc" in " ".join(kind).split():
                walk(next(e for e in element.iter() if local(e.tag) == "ol"), 0)
    else:
        ncx = next((i["href"] for i in items.values() if i["type"] == "application/x-dtbncx+xml"), None)

        def points(parent, depth):
            for point in parent:
                if local(point.tag) != "navPoint":
                    continue
                label = next(e for e in point.iter() if local(e.tag) == "text").text or ""
                content = next((e for e in point if local(e.tag) == "content"), None)
                target = resolved(ncx, content.get("src")) if content is not None else None
                contents.append([depth, " ".join(label.split()), following(*target) if target else None])
                points(point, depth + 1)

        if ncx in names:
            root = xml.etree.ElementTree.fromstring(archive.read(ncx))
            for element in root:
                if local(element.tag) == "navMap":
                    points(element, 0)
    return {
        "metadata": metadata,
        "direction": spine_element.get("page-progression-direction") if spine_element is not None else None,
        "items": list(items.values()),
        "spine": spine,
        "words": " ".join(texts.get(href, "") for href in spine).split(),
        "links": links,
        "broken": broken,
        "missing": missing,
        "contents": contents,
    }


print(json.dumps([read(path) for path in sys.argv[1:]]))
