#!/usr/bin/perl
# map_models.pl SEED [GRAPH ORDER] - a random model of marked blocks as C, with a main that prints all it has computed. With the
# graph of 'shimgen map --format graph': the blocks in another order that the graph allows, the ORDER-th drawn. ORDER 'wrong':
# in the reverse order.
#
# A local variable is assigned by one or two blocks, and read after both: of values that only share a variable each would need
# a variable of its own.
use strict;
use warnings;

my ($seed, $graph, $order) = @ARGV;
my $state = $seed * 2654435761 % 4294967296;
sub below { # a number from 0 to n-1
    $state = ($state * 1103515245 + 12345) % 4294967296;
    return int($state / 65536) % $_[0];
}
sub v { return "v" . below(8) }
sub a { return "a" . below(4) }
my @locals;                         # [name, first block in which it may be read]
sub l { my $at = shift; my @can = grep { $_->[1] <= $at } @locals; return @can ? $can[below(scalar @can)][0] : v() }

my @kinds = (
    sub { return v() . " = 0.5 * " . v() . " + " . l($_[0]) . ";" },
    sub { my ($x, $y, $s) = (a(), a(), v()); return "for (i = 0; i < 8; i++)\n        ${x}[i] = ${y}[i] * 0.5 + $s;" },
    sub { my $n = below(4); return "DW.s$n = 0.25 * DW.s$n + " . v() . ";\n    " . v() . " = DW.s$n;" },
    sub { my $n = below(4); return v() . " = DW.s$n;" },
    sub { return "if (" . v() . " > 0.3)\n        " . v() . " = " . v() . ";\n    else\n        " . v() . " = -" . l($_[0]) . ";" },
    sub { return "scale(" . a() . ", " . v() . ");" },
    sub { return v() . " = total(" . a() . ");" },
    sub { return "*gp = " . v() . ";" },
    sub { return v() . " = *gp + 1.0;" },
    sub { my ($x, $y) = (a(), a()); return $x eq $y ? v() . " = ${x}[3];" : "memcpy($x, $y, sizeof $x);" },
    sub { return a() . "[mode & 7] = " . v() . ";" },
    sub { return "DW.ring[mode & 3] = " . v() . ";\n    " . v() . " = DW.ring[(mode + 1) & 3];" },
    sub { return "mode = (mode * 3 + (" . v() . " > 0.0)) & 31;" },
    sub { return "tick();\n    " . v() . " += ticks;" },
    sub { return "fill(la, " . v() . ");" },
    sub { return v() . " = la[mode & 7];" },
    sub { return "if (" . v() . " > 0.1) {\n        /* shim: block in$_[0] */\n        " . v() . " = " . v() . " * 0.9;\n        /* shim: end */\n    }" },
    sub { return v() . " = sin(" . v() . ");" },
    sub { return "while (" . v() . " > 9.0)\n        " . "v0 = v1 = v2 = v3 = v4 = v5 = v6 = v7 = v7 - 1.0;" },
);
my @blocks;
my $n = 6 + below(9);
for my $i (0 .. $n - 1) {
    my $text;
    if (below(4) == 0) { # a local variable, in one block or changed by a second
        my $name = "l" . scalar(@locals);
        my $second = below(2) && $i + 1 < $n ? $i + 1 + below($n - $i - 1) : $i;
        $text = "$name = " . v() . " + 1.0;";
        $text = "$name = 0.0;\n    if (" . v() . " > 0.2)\n        $name = 1.0;" if below(2);
        push @locals, [$name, $second + 1, $second];
    } else {
        $text = $kinds[below(scalar @kinds)]->($i);
    }
    for my $l (@locals) {
        $text .= "\n    if (" . v() . " > 0.4)\n        $l->[0] = 2.0;" if $l->[2] == $i && $text !~ /^$l->[0] /;
    }
    push @blocks, "    /* shim: block b$i */\n    $text\n    /* shim: end */\n";
}

sub order_of { # a random order that the graph allows
    my ($file, $draw) = @_;
    open my $f, '<', $file or die "$file: $!";
    my (@unit, %unit_of, %number, @waits, @next, $from, $to, $delay);
    my $part = '';
    my $end = sub { # of an object
        if ($part eq 'edges' && defined $to && !$delay) { push @{$next[$number{$from}]}, $number{$to}; $waits[$number{$to}]++ }
        ($from, $to, $delay) = ();
    };
    while (my $line = <$f>) {
        $part = $1 if $line =~ /^  "(\w+)": \[/;
        if ($line =~ /^      "name": "(.*)",?$/) {
            $number{$1} = @unit;
            push @unit, [];
            push @waits, 0;
            push @next, [];
            $unit_of{$1} = $#unit for $1 =~ /\bb(\d+)\b/g;
        }
        if ($part eq 'blocks' && $line =~ /^      "why": "([^:]*):/) {
            $unit_of{$_} = $#unit for $1 =~ /\bb(\d+)\b/g;
        }
        $unit_of{$1} = $#unit if $part eq 'blocks' && $line =~ /^      "name": ".*\bb(\d+)\b/;
        $from = $1 if $line =~ /^      "from": "(.*)",/;
        $to = $1 if $line =~ /^      "to": "(.*)",/;
        $delay = $1 if $line =~ /^      "delay": (\d+)/;
        $end->() if $line =~ /^    \}/;
    }
    for my $b (0 .. $#blocks) {
        die "block b$b is in no unit of $file\n" unless defined $unit_of{$b};
        push @{$unit[$unit_of{$b}]}, $b;
    }
    $state = $draw * 40503 + 7;
    my @ready = grep { !$waits[$_] } 0 .. $#unit;
    my (@order, $done);
    while (@ready) {
        my $u = splice @ready, below(scalar @ready), 1;
        $done++;
        push @order, @{$unit[$u]};
        for my $t (@{$next[$u]}) { push @ready, $t unless --$waits[$t] }
    }
    die "$file has a cycle\n" unless $done == @unit;
    return @order;
}

my @order = (0 .. $#blocks);
@order = reverse @order if ($order // '') eq 'wrong';
@order = order_of($graph, $order) if $graph && $order ne 'wrong';
my $locals = join '', map { "    double $_->[0];\n" } @locals;
print <<"END";
#include <math.h>
#include <stdio.h>
#include <string.h>
double v0, v1, v2, v3, v4, v5, v6, v7, a0[8], a1[8], a2[8], a3[8], *gp = &a2[5];
struct { double s0, s1, s2, s3, ring[4]; } DW;
int mode, ticks;
static void scale(double *x, double by) { for (int k = 0; k < 8; k++) x[k] = x[k] * 0.5 + by; }
static double total(const double *x) { double s = 0; for (int k = 0; k < 8; k++) s += x[k]; return s / 8; }
static void fill(double *x, double by) { for (int k = 0; k < 8; k++) x[k] = by + k; }
static void tick(void) { ticks = (ticks + 1) & 7; }
void step(void);
void step(void)
{
    int i;
    double la[8] = {0};
$locals
@{[join '', map { $blocks[$_] } @order]}}
int main(void)
{
    unsigned seed = 1;
    for (int n = 0; n < 40; n++) {
        double *const in[] = {&v0, &v1, &v2, &v3};
        for (int k = 0; k < 4; k++) {
            seed = seed * 1103515245 + 12345;
            *in[k] = (seed >> 16 & 1023) / 512.0 - 1.0;
        }
        step();
        printf("%a %a %a %a %a %a %a %a %d %d\\n", v0, v1, v2, v3, v4, v5, v6, v7, mode, ticks);
        for (int k = 0; k < 8; k++)
            printf("%a %a %a %a ", a0[k], a1[k], a2[k], a3[k]);
        printf("%a %a %a %a %a %a %a %a\\n", DW.s0, DW.s1, DW.s2, DW.s3, DW.ring[0], DW.ring[1], DW.ring[2], DW.ring[3]);
    }
    return 0;
}
END
