"""regress.py TABLE.csv MODEL.json RESAMPLES PROCESSES SECONDS - the same as `regress fit --solver nnls`, by SciPy:
leave-one-out, and the bootstrap with the same draws; prints the time and how far the model is from it."""
import csv
import json
import multiprocessing
import sys
import time

import numpy
import scipy
from scipy.optimize import nnls

table, model_path, resamples, processes, ours = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
with open(table) as f:
    lines = list(csv.reader(f))
numbers = numpy.array([[float(c) for c in line[1:]] for line in lines[1:]])
target, counts = numbers[:, 0], numbers[:, 1:]
A, b = counts * (1000 / target)[:, None], numpy.full(len(target), 1000.0)
n, p = A.shape


def draws():
    """SplitMix64 from seed 1, n numbers below n for each resample (base/random.h)."""
    with numpy.errstate(over="ignore"):
        k = numpy.arange(1, resamples * n + 1, dtype=numpy.uint64)
        z = numpy.uint64(1) + k * numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z = z ^ (z >> numpy.uint64(31))
    return (z % numpy.uint64(n)).reshape(resamples, n).astype(int)


def left_out(i):
    keep = numpy.arange(n) != i
    return counts[i] @ nnls(A[keep], b[keep])[0] / target[i] - 1


def resampled(rows):
    return nnls(A[rows], b[rows])[0]


start = time.time()
x = nnls(A, b)[0]
with multiprocessing.Pool(processes) as pool:
    errors = numpy.array(pool.map(left_out, range(n), chunksize=50))
    samples = numpy.array(pool.map(resampled, draws(), chunksize=25))
seconds = time.time() - start

with open(model_path) as f:
    model = json.load(f)
low = numpy.minimum(numpy.quantile(samples, 0.05, axis=0), x)
high = numpy.maximum(numpy.quantile(samples, 0.95, axis=0), x)
held = model["held_out"]
worst = errors[numpy.argmax(abs(errors))]
pairs = [
    ("values", [v["value"] for v in model["variables"]], x),
    ("intervals", [v[k] for k in ("low", "high") for v in model["variables"]], numpy.concatenate([low, high])),
    ("held-out errors", [held["mean"], held["mean_abs"], held["median_abs"], held["worst"]],
     [errors.mean(), abs(errors).mean(), numpy.median(abs(errors)), worst]),
]
print(f"SciPy {scipy.__version__}, numpy {numpy.__version__}: {seconds:.2f} s, {seconds / ours:.1f} times as long (aimed at: 10)")
for name, a, c in pairs:
    print(f"largest difference of {name}: {numpy.max(abs(numpy.array(a) - numpy.array(c))):.1e} (aimed at: 1e-8)")
print(f"{int((x == 0).sum())} of {p} values are 0")
