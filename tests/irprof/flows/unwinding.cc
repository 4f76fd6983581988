// Exceptions out of and into loops, through functions with destructors that loop, thrown again, out of constructors.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static volatile int sink;

struct guard {
    int n;
    explicit guard(int n_) : n(n_)
    {
        if (n_ == 13)
            throw std::runtime_error("constructor");
    }
    ~guard()
    {
        for (int i = 0; i < n; i++)
            sink = sink + i;
    }
};

__attribute__((noinline)) static int deep(int n)
{
    guard g(n);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        guard inner(i);
        if (sink % 17 == 3)
            throw n;
        sum += deep(n / 2 - i);
    }
    return sum + 1;
}

__attribute__((noinline)) static int middle(int n)
{
    try {
        return deep(n);
    } catch (const std::runtime_error &) {
        sink = sink + 1;
        throw;
    } catch (int v) {
        if (v % 2)
            throw std::string(static_cast<size_t>(v), 'x');
        return v;
    }
}

__attribute__((noinline)) static int never_throws(int n) noexcept
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        try {
            if (i % 5 == 4)
                throw i;
            sum += i;
        } catch (...) {
            sum -= 1;
            if (i > 30)
                break;
        }
    }
    return sum;
}

int main()
{
    long sum = 0;
    std::vector<int> thrown;
    for (int i = 0; i < 60; i++) {
        try {
            sum += middle(i % 16);
        } catch (const std::string &s) {
            thrown.push_back(static_cast<int>(s.size()));
            continue;
        } catch (const std::exception &) {
            thrown.push_back(-1);
        }
        sink = sink + 1;
    }
    for (int v : thrown)
        sum = sum * 7 % 1000003 + v;
    std::printf("%ld %zu %d\n", sum, thrown.size(), never_throws(50));
}
