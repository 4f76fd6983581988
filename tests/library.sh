# shellcheck shell=sh
# What the tests of the installed libraries share (shim-xml/library.test, regress/library.test). Read with `.`, in an empty folder.
say() { # STATUS NAME
    if [ "$1" = 0 ]; then echo "ok $2"; else echo "not ok $2"; fi
}

# install_library NAME LIBS: installs under $root; $flags and $libs are what pkg-config says, without pkg-config the LIBS.
install_library() {
    make -s -C "$TOP" install-files BUILD="$BUILD" DESTDIR="$PWD/root" PREFIX=/usr/local >installed 2>&1
    say $? "make install DESTDIR="
    root=$PWD/root/usr/local
    archive=$root/lib/lib$1.a
    if command -v pkg-config >/dev/null; then
        PKG_CONFIG_PATH=$root/lib/pkgconfig
        export PKG_CONFIG_PATH
        flags=$(pkg-config --cflags "$1") && libs=$(pkg-config --libs "$1")
        say $? "pkg-config knows $1"
        pkg-config --modversion "$1" | grep -qx "$(shim-xml --version | sed 's/.* //')"
        say $? "and its version"
    else
        echo "skip pkg-config knows $1 # no pkg-config"
        flags=-I$root/include/shimgen libs="-L$root/lib -l$1 $2"
    fi
    sanitized=
    if nm "$archive" | grep -q ' U __asan_init'; then sanitized=-fsanitize=address,undefined; fi
}

# usable COMPILER WHAT: it is here and can link the library; else says that WHAT is skipped.
usable() {
    command -v "$1" >/dev/null && case $1 in clang*) ;; *) [ -z "$sanitized" ] ;; esac && return
    echo "skip $2, with $1 # not here, or the library has clang's sanitizers"
    return 1
}

# compile COMPILER STANDARD SOURCE OPTION...: an executable beside it, without the suffix; warnings are errors.
compile() {
    compiler=$1 standard=$2 source=$3
    shift 3
    # shellcheck disable=SC2086 # lists
    $compiler -std=$standard -Wall -Wextra -Wshadow -pedantic -Werror $sanitized $flags "$source" -o "${source%.*}" $libs "$@"
}

# A user's program in C and in C++ from the same text (user.c); it is to print what the file `expected.user` holds.
user_programs() { # ARGUMENT...
    cp user.c user.cc
    for how in 'clang c17 c' 'gcc c17 c' 'clang++ c++17 cc' 'g++ c++17 cc'; do
        # shellcheck disable=SC2086 # three words
        set -- $how -- "$@"
        compiler=$1 standard=$2 suffix=$3
        shift 4
        usable "$compiler" "a program with names of its own" || continue
        rm -f user
        compile "$compiler" "$standard" "user.$suffix" && ./user "$@" >printed && diff expected.user printed
        say $? "a program with names of its own, with $compiler"
    done
}

# The library goes into a shared object of the user's (from user.c) too.
shared_object() {
    usable clang "a shared object of the user's" || return
    cp user.c plugin.c
    compile clang c17 plugin.c -shared -fPIC -Wl,-z,defs && nm -D --defined-only plugin | grep -q ' main$'
    say $? "a shared object of the user's"
}

# The headers named define macros and global names that begin with PREFIX only (a pattern).
clean_headers() { # PREFIX HEADER...
    prefix=$1
    shift
    for header; do echo "#include <$header>"; done >headers.c
    # shellcheck disable=SC2086 # a list
    clang $flags -E -dD headers.c |
        awk -v root="$root" '/^# [0-9]/ { ours = index($3, root) } ours && $1 == "#define" { sub(/\(.*/, "", $2); print $2 }' |
        grep -Ev "^$prefix" >macros
    [ ! -s macros ] || { cat macros; false; }
    say $? "the headers define no macro that a program may have"
    # nothing but what the headers declare can clash with names of the program
    nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | grep -Ev "^($prefix)|^_*(asan|odr_asan|ubsan)" >others
    [ ! -s others ] || { head others; false; }
    say $? "other names are not seen"
}
