"""What makes a page of web/ and the files it consists of a part of a C source."""
import os
import re
import sys

sys.dont_write_bytecode = True


def content(name, folders):
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            # A source map is another file, and the page is to be one.
            text = re.sub(r"\n(//|/\*)# sourceMappingURL=.*", "", text).strip()
            if re.search(r"</(script|style)", text, re.IGNORECASE):
                sys.exit(f"embed.py: {path} would end the element it is put into")
            return text
    sys.exit(f"embed.py: {name} is in none of: {' '.join(folders)}")


def array(name, text):
    data = text.encode("utf-8")
    lines = [",".join(str(byte) for byte in data[i:i + 40]) for i in range(0, len(data), 40)]
    return "static const unsigned char %s[] = {\n%s};\n" % (name, ",\n".join(lines))


def page(path, dygraphs):
    """The page in which placeholders {{NAME}}, NAME ending with .css or .js, are replaced by that file, which stands
    beside the page or in the folder `dygraphs`."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    folders = [os.path.dirname(path), dygraphs]
    return re.sub(r"\{\{([\w.]+\.(?:js|css))\}\}", lambda found: content(found[1], folders), text)
