#!/usr/bin/env python3
"""report/embed.py PAGE DYGRAPHS OUT: turn the report's page into a C source.

PAGE is web/report.html. Of its placeholders {{NAME}}, a NAME ending with .css or .js is replaced by that file, which
stands beside the page or in the folder DYGRAPHS; at {{title}} and {{data}} the page is cut, for html.c to fill in.
"""
import os
import re
import sys


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


def main():
    page, dygraphs, out = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    folders = [os.path.dirname(page), dygraphs]
    text = re.sub(r"\{\{([\w.]+\.(?:js|css))\}\}", lambda found: content(found[1], folders), text)
    pieces = re.split(r"\{\{(?:title|data)\}\}", text)
    if len(pieces) != 3:
        sys.exit(f"embed.py: {page} must have one {{{{title}}}} and one {{{{data}}}}")
    with open(out, "w", encoding="utf-8") as file:
        file.write('#include "report_internal.h"\n\n')
        file.writelines(array(f"piece_{i}", piece) for i, piece in enumerate(pieces))
        file.write("\nconst report_piece report_page[3] = {\n")
        file.writelines(f"    {{piece_{i}, sizeof piece_{i}}},\n" for i in range(3))
        file.write("};\n")


if __name__ == "__main__":
    main()
