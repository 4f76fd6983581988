#!/usr/bin/perl
# emit_models.pl SHAPE SEED [WORK [STEPS [ALIGN]]] - a random model of subsystems in the style of generated code, as C with a main. SHAPE:
# wide, chain, rates (some subsystems in each 2nd or 4th step), dominant (one subsystem is most of a step), talk (much data, little
# work), mixed (chains, diamonds, rates, state that two subsystems share). WORK: iterations of a subsystem (100). STEPS: 40.
# ALIGN: signals and states begin at multiples of so many bytes; 64: no two share a line of a cache.
#
# Each subsystem is a function with its own state. Signals between them are in a structure; some are local variables.
use strict;
use warnings;

my ($shape, $seed, $work, $steps, $align) = @ARGV;
$work //= 100;
$steps //= 40;
$align //= 8;
my $state = $seed * 2654435761 % 4294967296;
sub below { # a number from 0 to n-1
    $state = ($state * 1103515245 + 12345) % 4294967296;
    return int($state / 65536) % $_[0];
}
my %shapes = map { $_ => 1 } qw(wide chain rates dominant talk mixed);
die "emit_models.pl: no shape '$shape'\n" unless $shapes{$shape};
my $width = $shape eq 'talk' ? 4096 : 4; # of a signal
my $n = $shape eq 'mixed' ? 4 + below(7) : 7 + below(3);
my @subs;
for my $i (0 .. $n - 1) {
    my %s = (work => int($work * (60 + below(80)) / 100), every => 1, from => [], kind => below(3), old => []);
    if ($shape eq 'chain') {
        # two chains that meet now and then
        push @{$s{from}}, $i - 2 if $i > 1;
        push @{$s{from}}, $i - 1 if $i > 0 && below(3) == 0;
    } elsif ($shape eq 'wide' || $shape eq 'dominant') {
        push @{$s{from}}, below($i) if $i > 0 && below(4) == 0;
    } else {
        for (1 .. 1 + below(2)) { push @{$s{from}}, below($i) if $i > 0 && below(4) }
    }
    push @{$s{old}}, below($n) if below(3) == 0; # of the step before
    $s{every} = (1, 1, 2, 4)[below(4)] if $shape eq 'rates' || $shape eq 'mixed';
    $s{work} = $work * 5 if $shape eq 'dominant' && $i == 2;
    $s{work} = int($work / 20) if $shape eq 'talk';
    $s{shared} = $shape eq 'mixed' && below(3) == 0;
    $s{local} = $shape eq 'mixed' && $s{every} == 1 && below(3) == 0;
    push @subs, \%s;
}
print <<"END";
/* Written by a script in the style of code generated for a model: shape '$shape', number $seed. */
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef double real_T;
typedef int int32_T;
#define WIDTH $width
END
print "/* Block signals */\nstatic struct {\n";
print "  _Alignas($align) real_T S$_\[WIDTH];\n" for 0 .. $n - 1;
print "} model_B;\n/* Block states */\nstatic struct {\n";
print "  _Alignas($align) real_T X$_\[8];\n  _Alignas($align) real_T Old$_\[WIDTH];\n" for 0 .. $n - 1;
print "  _Alignas($align) real_T Shared[4];\n} model_DW;\nreal_T model_U[4];\nreal_T model_Y[4];\nstatic struct { int32_T TID2, TID4; } model_M;\n\n";
for my $i (0 .. $n - 1) {
    my $s = $subs[$i];
    my @in = map { "const real_T u$_\[WIDTH]" } 0 .. $#{$s->{from}} + 1;
    my $sum = join ' + ', map { "u$_\[k % WIDTH]" } 0 .. $#{$s->{from}} + 1;
    my @bodies = (
        "acc = acc * 0.75 + ($sum) * 0.125 + x[k & 7];",
        "acc += sqrt(fabs($sum) + x[k & 7]) * 0.5 - acc * 0.25;",
        "acc = acc > 4.0 ? acc * 0.5 : acc + ($sum) * 0.25 + 0.01;\n    x[k & 7] = x[k & 7] * 0.5 + acc * 0.01;",
    );
    print "/* Output and update for atomic system: '<Root>/Sub$i' */\n";
    print "static void model_Sub$i(", join(', ', @in), ", real_T x[8], real_T y[WIDTH])\n{\n  real_T acc = 0.0;\n  int32_T k;\n";
    print "  for (k = 0; k < $s->{work}; k++) {\n    $bodies[$s->{kind}]\n  }\n";
    print "  for (k = 0; k < WIDTH; k++) {\n    y[k] = acc * 0.5 + u0[k] * 0.25 + (real_T)k * 0.001;\n  }\n";
    print "  x[1] = x[1] * 0.5 + acc * 0.125;\n}\n\n";
}
print "void step(void);\nvoid step(void)\n{\n  int32_T i;\n";
print "  real_T rtb_L$_\[WIDTH];\n" for grep { $subs[$_]{local} } 0 .. $n - 1;
sub out { return $subs[$_[0]]{local} ? "rtb_L$_[0]" : "model_B.S$_[0]" }
for my $i (0 .. $n - 1) {
    my $s = $subs[$i];
    my $first = @{$s->{old}} ? "model_DW.Old$s->{old}[0]" : $i % 2 ? "model_DW.Old$i" : "model_DW.Old0";
    my @args = ($first, (map { out($_) } @{$s->{from}}), "model_DW.X$i", out($i));
    my $call = "model_Sub$i(" . join(', ', @args) . ");";
    my $more = $s->{shared} ? "model_DW.Shared[" . below(4) . "] += " . out($i) . "[1] * 0.5;" : '';
    print "\n  /* Outputs for Atomic SubSystem: '<Root>/Sub$i' */\n";
    if ($s->{every} > 1) {
        print "  if (model_M.TID$s->{every} == 0) {\n    $call\n", $more ? "    $more\n" : '', "  }\n";
    } else {
        print "  $call\n", $more ? "  $more\n" : '';
    }
    print "\n  /* End of Outputs for SubSystem: '<Root>/Sub$i' */\n";
}
my @last = map { out($_) } ($n - 1, $n - 2, below($n), 0);
print "\n  /* Outport: '<Root>/Out' */\n  for (i = 0; i < 4; i++) {\n    model_Y[i] = $last[0]\[i] + $last[1]\[i] - $last[2]\[i] * 0.5 + $last[3]\[i];\n  }\n";
print "\n  /* Inport: '<Root>/In' */\n  for (i = 0; i < 4; i++) {\n    model_DW.Old0[i] = model_U[i];\n  }\n";
for my $i (1 .. $n - 1) {
    print "\n  /* Update for UnitDelay: '<Root>/Delay$i' */\n  memcpy(model_DW.Old$i, ", out($i), ", sizeof(model_DW.Old$i));\n";
}
print "\n  /* RateTransition: '<Root>/Rates' */\n  model_M.TID2 = model_M.TID2 > 0 ? 0 : 1;\n  model_M.TID4 = model_M.TID4 > 2 ? 0 : model_M.TID4 + 1;\n}\n";
print <<"END";

int main(void)
{
  unsigned seed = 1;
  for (int n = 0; n < $steps; n++) {
    for (int k = 0; k < 4; k++) {
      seed = seed * 1103515245U + 12345U;
      model_U[k] = (seed >> 16 & 1023U) / 512.0 - 1.0;
    }
    step();
  }
  for (int k = 0; k < 4; k++) {
    printf("%a\\n", model_Y[k]);
  }
  return 0;
}

/*
 * '<Root>' : 'model'
 */
END
