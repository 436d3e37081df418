#!/usr/bin/env python3
"""report/embed_report.py PAGE DYGRAPHS OUT: turn the report's page into a C source.

PAGE is web/report.html; its placeholders {{NAME}} are replaced by files (src/common/embed.py). At {{title}} and
{{data}} the page is cut, for report_html.c to fill in.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import embed  # noqa: E402


def main():
    page, dygraphs, out = sys.argv[1:]
    pieces = re.split(r"\{\{(?:title|data)\}\}", embed.page(page, dygraphs))
    if len(pieces) != 3:
        sys.exit(f"embed_report.py: {page} must have one {{{{title}}}} and one {{{{data}}}}")
    with open(out, "w", encoding="utf-8") as file:
        file.write('#include "report_internal.h"\n\n')
        file.writelines(embed.array(f"piece_{i}", piece) for i, piece in enumerate(pieces))
        file.write("\nconst report_piece report_page[3] = {\n")
        file.writelines(f"    {{piece_{i}, sizeof piece_{i}}},\n" for i in range(3))
        file.write("};\n")


main()
