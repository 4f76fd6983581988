# metrics.pl [-l] <FILES - measures the structure of a tree of C sources, for metrics.sh: one line a number, with -l what it
# is made of. FILES: the names of its sources (.c, .h, .def), one a line, from the working directory.
#
# The product is what stands outside of tests/ and docs/. Sample programs (samples/paper, suite, short, micro) are counted apart,
# and so are the inputs of tests: each of them is a program of its own.
use strict;
use warnings;

my $list = @ARGV && $ARGV[0] eq '-l';
my $inputs = qr{^(?:tests/cli|tests/oracle/cases|tests/irprof/flows|tests/mutate/tiny|docs)/};
my $programs = qr{^samples/(?:paper|suite|short|micro|held_out)/};

my @files = map { chomp; -f $_ ? ($_) : () } <STDIN>;
die "metrics.pl: no sources on standard input\n" unless @files;
my @product = grep { !/$inputs|$programs|^tests\// } @files;
my @sources = grep { /\.c$/ } @product;
my @tests = grep { /^tests\/.*\.c$/ && !/$inputs/ } @files;
my (%known, %text, %bare);
$known{$_} = 1 for @files;

sub read_file {
    my ($name) = @_;
    open my $f, '<', $name or die "metrics.pl: $name: $!\n";
    local $/;
    return scalar <$f>;
}
# Without comments, and with empty literals.
sub without_comments {
    my ($text) = @_;
    $text =~ s{(/\*.*?\*/)|//[^\n]*|"((?:[^"\\\n]|\\.)*)"|('(?:[^'\\\n]|\\.)+')}{defined $2 ? '""' : defined $3 ? "' '" : ' '}gse;
    return $text;
}
for my $file (@product, @tests) {
    $text{$file} = read_file($file);
    $bare{$file} = without_comments($text{$file});
}

sub say_number {
    my ($what, $number, @which) = @_;
    printf "%-72s %6s\n", $what, $number;
    print map { "    $_\n" } @which if $list;
}
sub folder { return $_[0] =~ m{(.*)/} ? $1 : '.' }
sub base { return $_[0] =~ m{([^/]*)$} ? $1 : $_[0] }
sub part { return $_[0] =~ m{^([^/]*)/} ? $1 : '.' }
sub median {
    my @sorted = sort { $a <=> $b } @_;
    return @sorted ? ($sorted[$#sorted / 2] + $sorted[@sorted / 2]) / 2 : 0;
}

# ---- files
sub folders {
    my ($what, @of) = @_;
    return unless @of;
    my %n;
    $n{folder($_)}++ for @of;
    my @order = sort { $n{$b} <=> $n{$a} || $a cmp $b } keys %n;
    say_number("$what: .c files", scalar @of);
    say_number("$what: folders with .c files", scalar @order, map { "$n{$_} $_" } @order);
    say_number("$what: .c files in the greatest folder ($order[0])", $n{$order[0]});
    say_number("$what: .c files a folder, median", median(values %n));
}
folders('product', @sources);
folders('tests', @tests);

# The rule of purpose.test: a comment on the first line, with words on it or on the next two.
sub has_purpose {
    my ($text) = @_;
    return 0 unless $text =~ m{\A/\*};
    my ($top) = $text =~ m{\A((?:[^\n]*\n){1,3})};
    $top = $1 if $top =~ m{\A(.*?\*/)}s;
    return ($top =~ tr/A-Za-z//) > 3;
}
my @silent = grep { !has_purpose($text{$_}) } @sources, @tests;
say_number('.c files without a line on top that says what they are for', scalar @silent, @silent);

# A test is named like what it tests: the product alone. Each program has its main.c and its cmd_NAME.c.
sub same_names {
    my ($what, @of) = @_;
    my (%named, @pairs);
    push @{$named{base($_)}}, $_ for grep { base($_) !~ /^(?:main\.c|cmd_\w+\.c)$/ } @of;
    for my $name (sort keys %named) {
        my @same = @{$named{$name}};
        for my $i (0 .. $#same) {
            push @pairs, map { "$same[$i] $same[$_]" } grep { $text{$same[$i]} ne $text{$same[$_]} } $i + 1 .. $#same;
        }
    }
    say_number("pairs of $what files with the same name and different content", scalar @pairs, @pairs);
}
same_names('.c', @sources);
same_names('.h', grep { /\.h$/ } @product);

my @alone = grep { !$known{s/\.c$/.h/r} } @sources;
say_number('.c files without a header of their name', scalar @alone, @alone);

# ---- lines
sub lines { return $_[0] =~ tr/\n// }
my (%lines, $all);
for my $file (@product) {
    $lines{part($file)} += lines($text{$file});
    $all += lines($text{$file});
}
say_number('lines of the product (.c, .h, .def)', $all);
printf "  %-70s %6d\n", $_, $lines{$_} for sort keys %lines;
# What leads from IR to machine code and back: for events of the target's code, and for method compiled.
my %mapping = (irprof => qr{^irprof/(?:codegen/|spill|target_)}, estimate => qr{^shimgen/estimate/compiled});
my (@of_mapping, %of, $mapped);
for my $which (keys %mapping) {
    for my $file (grep { /$mapping{$which}/ } @product) {
        push @of_mapping, lines($text{$file}) . " $file";
        $of{$which} += lines($text{$file});
        $mapped += lines($text{$file});
    }
}
say_number('lines of the mappings of IR to machine code', $mapped // 0, sort @of_mapping);
printf "  %-70s %6d\n", $_, $of{$_} for sort keys %of;
my $of_tests = 0;
$of_tests += lines($text{$_}) for @tests;
say_number('lines of tests (.c)', $of_tests);
say_number('lines a .c file of the product, median', median(map { lines($text{$_}) } @sources));
my @long = map { my $n = lines($text{$_}); $n > 400 ? "$n $_" : () } @sources;
say_number('.c files of the product above 400 lines', scalar @long, @long);

# ---- static functions
my ($static, @once, @short) = (0);
for my $file (@sources) {
    my $code = $bare{$file};
    my %lines_of;
    while ($code =~ /^static\b[^;{}=()]*?\b(\w+)\s*\([^;{}]*\)\s*\n?\{\n?(.*?)^\}/gms) {
        $lines_of{$1} = lines($2);
    }
    my %seen;
    $seen{$_}++ for $code =~ /\b(\w+)\b/g;
    for my $name (sort keys %lines_of) {
        my @declared = $code =~ /^static\b[^;{}=()]*?\b\Q$name\E\s*\([^;{}]*\)[^;{}()]*;/gm;
        $static++;
        next unless $seen{$name} - 1 - @declared == 1;
        push @once, "$file $name";
        push @short, "$file $name" if $lines_of{$name} <= 3;
    }
}
say_number('static functions', $static);
say_number('static functions that are used once', scalar @once);
say_number('  in percent of all', sprintf('%.0f', $static ? 100 * @once / $static : 0));
say_number('  of these with at most three lines', scalar @short, @short);

# ---- circles of includes
# Tarjan's algorithm; returns the components of more than one node.
sub circles {
    my ($edges) = @_;
    my (%index, %low, @stack, %on, @found);
    my $visit;
    no warnings 'recursion';
    $visit = sub {
        my ($v) = @_;
        $index{$v} = $low{$v} = keys %index;
        push @stack, $v;
        $on{$v} = 1;
        for my $w (sort keys %{$edges->{$v} // {}}) {
            if (!defined $index{$w}) {
                $visit->($w);
                $low{$v} = $low{$w} if $low{$w} < $low{$v};
            } elsif ($on{$w} && $index{$w} < $low{$v}) {
                $low{$v} = $index{$w};
            }
        }
        return if $low{$v} != $index{$v};
        my @component;
        do {
            push @component, pop @stack;
            delete $on{$component[-1]};
        } while $component[-1] ne $v;
        push @found, [sort @component] if @component > 1;
    };
    for my $v (sort keys %$edges) {
        $visit->($v) unless defined $index{$v};
    }
    return @found;
}
# The header by which others use a part stands above what the part consists of, and does not count: irprof/irprof.h. A part
# has a folder at the top, or says where it is in a .mk file: shimgen/estimate/estimate.h.
my %inner;
for my $make (glob('*/*.mk */*/*.mk')) {
    $inner{$1} = 1 if read_file($make) =~ /^\w+_dir\s*:?=\s*(\S+)/m;
}
sub is_public {
    my ($header) = @_;
    my ($dir, $name) = (folder($header), base($header) =~ s/\.h$//r);
    return ($dir !~ m{/} || $inner{$dir}) && (base($dir) =~ tr/a-z//cdr) =~ /^\Q$name\E/;
}
my (%between, %modules, %why);
for my $file (@product) {
    while ($text{$file} =~ /^[ \t]*#[ \t]*include\s+"([^"]+)"/gm) {
        my ($to) = grep { $known{$_} } $1, folder($file) . "/$1", "base/$1";
        next unless defined $to;
        my ($a, $b) = map { s/\.(?:c|h|def)$//r } $file, $to;
        $modules{$a}{$b} = 1 if $a ne $b;
        next if folder($file) eq folder($to) || is_public($to);
        $between{folder($file)}{folder($to)} = 1;
        push @{$why{folder($file)}{folder($to)}}, "$file -> $to";
    }
}
my @folder_circles = circles(\%between);
my @shown;
for my $circle (@folder_circles) {
    push @shown, "circle: @$circle";
    for my $from (@$circle) {
        for my $to (grep { $why{$from}{$_} } @$circle) {
            my @by = @{$why{$from}{$to}};
            push @shown, "  $from -> $to: " . scalar(@by) . " ($by[0])";
        }
    }
}
my $in_folders = 0;
$in_folders += @$_ for @folder_circles;
say_number('circles of includes between folders', scalar @folder_circles, @shown);
say_number('  folders in them', $in_folders);
my @module_circles = circles(\%modules);
my $in_modules = 0;
$in_modules += @$_ for @module_circles;
say_number('circles of includes between files (a source and its header are one)', scalar @module_circles, map { "@$_" } @module_circles);
say_number('  files in them', $in_modules);
