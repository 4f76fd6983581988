#!/usr/bin/perl
# emit_mapping.pl GRAPH SEED CORE... - a mapping file: each block of a graph ('shimgen map --format graph') on a core that is drawn.
use strict;
use warnings;

my ($graph, $seed, @cores) = @ARGV;
my $state = $seed * 2654435761 % 4294967296;
open my $f, '<', $graph or die "$graph: $!";
my @on;
while (<$f>) {
    next unless /^      "name": (".*"),?$/;
    $state = ($state * 1103515245 + 12345) % 4294967296;
    push @on, "$1: \"" . $cores[int($state / 65536) % @cores] . '"';
}
die "$graph: no blocks in it\n" unless @on;
print '{"mapping": {', join(", ", @on), "}}\n";
