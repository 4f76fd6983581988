#include <stdexcept>
#include <thread>
#include <vector>

struct Local {
    long steps = 0;
    ~Local();
};
static thread_local Local local;
extern "C" {
__attribute__((noinline)) void gone(Local *l)
{
    l->steps = 0;
}
__attribute__((noinline)) void caught()
{
    local.steps++;
}
__attribute__((noinline)) void step(int i)
{
    local.steps++;
    if (i % 100 == 99)
        throw std::runtime_error("every hundredth");
}
}
Local::~Local()
{
    gone(this);
}
extern "C" __attribute__((noinline)) void work()
{
    for (int i = 0; i < 30000; i++)
        try {
            step(i);
        } catch (const std::exception &) {
            caught();
        }
}
int main()
{
    std::vector<std::thread> all;
    for (int i = 0; i < 4; i++)
        all.emplace_back(work);
    for (auto &t : all)
        t.join();
}
