#!/usr/bin/env python3
"""http/routes/embed_pages.py PAGE SCHEMAS CAMPAIGN DYGRAPHS OUT: turn the dashboard and the API's schemas into a C
source.

PAGE is web/dashboard.html; its placeholders {{NAME}} are replaced by files (src/common/embed.py).
CAMPAIGN, the schema of campaign files, becomes one of the schemas.
"""

import base64
import hashlib
import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "common"))
import embed  # noqa: E402


def constant(name, text):
    return embed.array(name, text).replace("static const", "const") + f"const size_t {name}_size = sizeof {name};\n\n"


def policy(page):
    """What the page may do, for its Content-Security-Policy: run its own scripts and styles, known by their hashes, and
    talk to the server that it is from."""

    def hashes(element):
        found = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digests = [hashlib.sha256(text.encode("utf-8")).digest() for text in found]
        return " ".join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests)

    return (f"default-src 'none'; script-src {hashes('script')}; style-src {hashes('style')}; img-src data:; "
            "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")


def campaign_schemas(text):
    """The schema of campaign files as CampaignDescription, and each of its $defs as Campaign and its name."""

    def named(name):
        return "Campaign" + name.title().replace("_", "")

    schema = json.loads(re.sub(r"#/\$defs/(\w+)", lambda found: "#/components/schemas/" + named(found[1]), text))
    parts = {named(name): part for name, part in schema.pop("$defs").items()}
    return {"CampaignDescription": schema, **parts}


def main():
    page, schemas, campaign, dygraphs, out = sys.argv[1:]
    text = embed.page(page, dygraphs)
    with open(schemas, encoding="utf-8") as file:
        described = json.load(file)
    with open(campaign, encoding="utf-8") as file:
        described.update(campaign_schemas(file.read()))
    with open(out, "w", encoding="utf-8") as file:
        file.write(
            '#include "http_internal.h"\n\n'
            + constant("server_page", text)
            + f'const char server_page_policy[] = "{policy(text)}";\n\n'
            + constant("server_schemas", json.dumps(described))
        )


main()
