#!/usr/bin/env python3
"""show/embed_evaluation.py PAGE OUT: turn the page of `roster evaluate` into a C source.

PAGE is web/evaluation.html; its placeholders {{NAME}} are replaced by files (src/common/embed.py). At {{body}} the page
is cut, for evaluate_html.c to fill in.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))
import embed  # noqa: E402


def main():
    page, out = sys.argv[1:]
    pieces = embed.page(page, os.path.dirname(page)).split("{{body}}")
    if len(pieces) != 2:
        sys.exit(f"embed_evaluation.py: {page} must have one {{{{body}}}}")
    with open(out, "w", encoding="utf-8") as file:
        file.write('#include "show_internal.h"\n\n')
        file.writelines(embed.array(f"piece_{i}", piece) for i, piece in enumerate(pieces))
        file.write("\nconst show_piece show_page[2] = {{piece_0, sizeof piece_0}, {piece_1, sizeof piece_1}};\n")


main()
