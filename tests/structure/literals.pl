# literals.pl TABLE FILE... - the string and character literals of C sources, comments left out: "FILE<TAB>LINE<TAB>KIND<TAB>TEXT".
# KIND: opcode (the text names instructions of TABLE, base/instructions.def, and nothing else), call (it begins like a key
# of a call), text, char. Texts that stand side by side are several.
use strict;
use warnings;

my $table = shift;
open my $t, '<', $table or die "$table: $!\n";
my %opcode = map { /^(?:INSTRUCTION|SPELLING)\(\w+, "(\w+)"/ ? ($1 => 1) : () } <$t>;
close $t;
die "$table: no instructions in it\n" unless %opcode;

sub kind {
    my ($text) = @_;
    my @words = split / /, $text;
    return 'text' if !@words || $text =~ /^ | $/; # a part of a sentence
    for my $word (@words) {
        my ($name) = $word =~ /^([a-z_]+?)(?:_d|[.*].*)?$/;
        return $text =~ /^call\./ ? 'call' : 'text' unless defined $name && $opcode{$name};
    }
    return $text =~ /^call\.l/ ? 'call' : 'opcode';
}

for my $file (@ARGV) {
    open my $f, '<', $file or die "$file: $!\n";
    my $source = do { local $/; <$f> };
    my $line = 1;
    while ($source =~ m{(/\*.*?\*/|//[^\n]*)|(#include[^\n]*)|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)+)'|(\n)}gs) {
        my ($comment, $include, $text, $char) = ($1, $2, $3, $4);
        if (defined $text) {
            print join("\t", $file, $line, kind($text), $text), "\n";
        } elsif (defined $char) {
            print join("\t", $file, $line, 'char', $char), "\n";
        }
        $line += ($& =~ tr/\n//);
    }
}
