#!/bin/sh
# README.md, the pages of docs/ and the manuals as HTML that needs no network. `make docs` runs it.
#   sh docs/site.sh FOLDER      (from the repository's root; needs cmark-gfm and mandoc)
# FOLDER/index.html is README.md, FOLDER/docs/*.html the pages, FOLDER/man/*.html the manuals. Links to pages become links
# to their HTML; links to other files of the repository lead to copies beside them.
set -eu
out=${1:?a folder to write to is missing}
for program in cmark-gfm mandoc; do
    command -v "$program" >/dev/null || { echo "docs/site.sh: $program is not installed; apt-get install $program" >&2; exit 1; }
done

style='body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 sans-serif;color:#222}table{border-collapse:collapse;display:block;overflow-x:auto}
td,th{border:1px solid #ccc;padding:.2rem .6rem;text-align:left}pre{background:#f4f4f4;padding:.6rem;overflow-x:auto}img{max-width:100%}nav a{margin-right:1rem}'

# The anchors that links name: a heading's words in lower case, joined by "-", without other punctuation.
anchors() {
    awk '/^<h[1-6]>/ {
        text = $0
        gsub(/<[^>]*>/, "", text)
        gsub(/&[a-z]*;/, "", text)
        text = tolower(text)
        gsub(/[^a-z0-9 _-]/, "", text)
        gsub(/ /, "-", text)
        if (seen[text]++) text = text "-" (seen[text] - 1)
        sub(/^<h[1-6]/, "& id=\"" text "\"")
    } { print }'
}

# page FILE.md TO UP: UP is the way from there to the top
page() {
    mkdir -p "$(dirname "$2")"
    title=$(sed -n 's/^# *//p' "$1" | head -n 1)
    {
        printf '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%s</title><style>%s</style></head><body>\n' \
            "$title" "$style"
        printf '<nav><a href="%sindex.html">shimgen</a><a href="%sdocs/README.html">all pages</a><a href="%sman/shimgen.1.html">manual</a></nav>\n' "$3" "$3" "$3"
        cmark-gfm -e table -e autolink --unsafe "$1" | anchors |
            sed -E -e '/href="https?:/!s/(href="[^":]*)\.md(#[^"]*)?"/\1.html\2"/g' -e 's|href="((\.\./)*)README.html|href="\1README.html|g'
        echo '</body></html>'
    } >"$2"
}

rm -rf "$out"
mkdir -p "$out/man"
# Not by git: a tree that was unpacked from an archive has pages, too.
find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o -type f \( -name '*.md' -o -path './docs/*' -o -path ./LICENSE -o -path './boards/*' \
    -o -path './samples/held_out/*' -o -path './tests/a53/*' -o -path './tests/cores/*' \) -print | sed 's|^\./||' | sort | while IFS= read -r file; do
    case $file in
    *.md) page "$file" "$out/${file%.md}.html" "$(dirname "$file" | sed -e 's|^\.$||' -e 's|[^/][^/]*|..|g' -e 's|$|/|' -e 's|^/$||')" ;;
    *) mkdir -p "$out/$(dirname "$file")" && cp "$file" "$out/$file" ;;
    esac
done
mv "$out/README.html" "$out/index.html"
grep -rlE 'href="(\.\./)+README\.html' "$out" | while IFS= read -r file; do
    top=$(dirname "${file#"$out"/}" | sed 's|[^/][^/]*|..|g')
    sed -i "s|href=\"$top/README.html|href=\"$top/index.html|g" "$file"
done
for manual in docs/man/*.1; do
    mandoc -T html -O man='%N.%S.html' "$manual" >"$out/man/${manual##*/}.html"
done
echo "$out/index.html"
