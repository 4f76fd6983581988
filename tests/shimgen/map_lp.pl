#!/usr/bin/env perl
# map_lp.pl SEED FOLDER - a random graph of 8 to 12 blocks, a machine of 2 or 3 cores, and the question for the shortest step as
# a mixed-integer program: graph.json, machine.xml, step.lp. Transfers cost 2 * MESSAGE and LINE for each 64 bytes beyond
# the first; MESSAGE alone for an edge without bytes.
use strict;
use warnings;
use List::Util qw(max);
my ($seed, $folder) = @ARGV;
use constant { MESSAGE => 3, LINE => 2 };
srand($seed);
my $n = 8 + int rand 5;
my $cores = 2 + int rand 2;
my $alike = int rand 2;
my @time = map { my $t = 1 + int rand 20; [map { $alike ? $t : 1 + int rand 20 } 1 .. $cores] } 1 .. $n;
my $percent = 25 + int rand 40;
my @edges;
for my $to (1 .. $n - 1) {
    for my $from (0 .. $to - 1) {
        push @edges, [$from, $to, int(rand 5) * 48] if rand(100) < $percent;
    }
}

sub cost {
    my ($bytes) = @_;
    return MESSAGE if !$bytes;
    my $lines = int(($bytes + 63) / 64);
    return 2 * MESSAGE + ($lines - 1) * LINE;
}

open my $g, '>', "$folder/graph.json" or die;
print $g '{"graph": "drawn", "blocks": [', join(', ', map {
    my $b = $_;
    qq({"name": "b$b", "cycles": {) . join(', ', map { qq("C$_": $time[$b][$_]) } 0 .. $cores - 1) . '}}'
} 0 .. $n - 1), '], "edges": [', join(', ', map { qq({"from": "b$_->[0]", "to": "b$_->[1]", "bytes": $_->[2]}) } @edges), "]}\n";
close $g or die;

open my $m, '>', "$folder/machine.xml" or die;
print $m '<SystemConfiguration name="drawn" shimVersion="1.0"><ComponentSet name="Top">',
    (map { qq(<MasterComponent name="C$_" id="M$_" masterType="PU" arch="a"/>) } 0 .. $cores - 1),
    qq(</ComponentSet><AddressSpaceSet/></SystemConfiguration>\n);
close $m or die;

# What is certain about the order needs no decision.
my @before;
$before[$_->[0]][$_->[1]] = 1 for @edges;
for my $k (0 .. $n - 1) {
    for my $i (0 .. $n - 1) {
        for my $j (0 .. $n - 1) {
            $before[$i][$j] = 1 if $before[$i][$k] && $before[$k][$j];
        }
    }
}
my $all = 0;
for my $b (0 .. $n - 1) {
    $all += max(@{$time[$b]});
}
$all += cost($_->[2]) for @edges;

# x_b_c: block b is on core c. s_b: it starts. o_i_j: i is before j, if they share a core. t_i_j: they do not share one.
my (@rows, @binary);
sub row { # RIGHT SIDE, then pairs of factor and variable
    my ($right, @terms) = @_;
    my (%sum, @names);
    while (my ($factor, $name) = splice @terms, 0, 2) {
        push @names, $name if !exists $sum{$name};
        $sum{$name} += $factor;
    }
    push @rows, join(' ', map { sprintf '%s %d %s', $sum{$_} < 0 ? '-' : '+', abs $sum{$_}, $_ } @names) . " $right";
    return;
}
sub work { my ($b) = @_; return map { (-$time[$b][$_], "x_${b}_$_") } 0 .. $cores - 1 }
for my $b (0 .. $n - 1) {
    row('= 1', map { (1, "x_${b}_$_") } 0 .. $cores - 1);
    row('>= 0', 1, 'last', -1, "s_$b", work($b));
    push @binary, map { "x_${b}_$_" } 0 .. $cores - 1;
}
for my $c (0 .. $cores - 1) {
    row('>= 0', 1, 'last', map { (-$time[$_][$c], "x_${_}_$c") } 0 .. $n - 1);
}
for my $x (@edges) {
    my ($i, $j, $bytes) = @$x;
    row('>= 0', 1, "s_$j", -1, "s_$i", work($i), -cost($bytes), "t_${i}_$j");
    row('>= 0', 1, "t_${i}_$j", -1, "x_${i}_$_", 1, "x_${j}_$_") for 0 .. $cores - 1;
}
for my $i (0 .. $n - 1) {
    for my $j ($i + 1 .. $n - 1) {
        next if $before[$i][$j];
        push @binary, "o_${i}_$j";
        for my $c (0 .. $cores - 1) { # both on c: one of them after the other
            my @both = (-$all, "x_${i}_$c", -$all, "x_${j}_$c");
            row('>= -' . 3 * $all, 1, "s_$j", -1, "s_$i", work($i), @both, -$all, "o_${i}_$j");
            row('>= -' . 2 * $all, 1, "s_$i", -1, "s_$j", work($j), @both, $all, "o_${i}_$j");
        }
    }
}
open my $l, '>', "$folder/step.lp" or die;
print $l "Minimize\n step: last\nSubject To\n";
print $l " r$_: $rows[$_]\n" for 0 .. $#rows;
print $l "Binary\n ", join("\n ", @binary), "\nEnd\n";
close $l or die;
