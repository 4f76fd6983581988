#include <ucontext.h>

void hop_out(ucontext_t *from);
void body_make(void);
extern ucontext_t *body_context;
