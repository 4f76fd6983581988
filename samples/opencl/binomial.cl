/* European call options by a binomial tree of 63 steps (Cox, Ross, Rubinstein 1979): a work-group an option, a work-item a
 * node of the last step. Price 5 to 30, strike 1 to 100, a quarter to 10 years. With local memory: the values in it. */
#define STEPS 63
#define RATE 0.02f
#define VOLATILITY 0.30f

static float leaf(float3 o, int i)
{
    float v = VOLATILITY * sqrt(o.z / STEPS);
    return max(o.x * exp(v * (2 * i - STEPS)) - o.y, 0.0f);
}

/* Weights of up and down, with the discount of a step. */
static float2 weights(float3 o)
{
    float dt = o.z / STEPS, v = VOLATILITY * sqrt(dt), up = exp(v), down = exp(-v), growth = exp(RATE * dt);
    float p = (growth - down) / (up - down);
    return (float2)(p / growth, (1 - p) / growth);
}

static float3 option(__global const float *random, int k)
{
    return (float3)(5 + 25 * random[3 * k], 1 + 99 * random[3 * k + 1], 0.25f + 9.75f * random[3 * k + 2]);
}

__kernel void binomial_global(__global const float *random, __global float *out, __global float *values)
{
    int i = get_local_id(0), k = get_group_id(0);
    __global float *mine = values + k * (STEPS + 1);
    float3 o = option(random, k);
    float2 w = weights(o);
    float value = leaf(o, i);
    mine[i] = value;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int n = STEPS; n > 0; n--) {
        if (i < n)
            value = w.x * mine[i + 1] + w.y * value;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (i < n)
            mine[i] = value;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (i == 0)
        out[k] = value;
}

__kernel void binomial_local(__global const float *random, __global float *out)
{
    __local float mine[STEPS + 1];
    int i = get_local_id(0), k = get_group_id(0);
    float3 o = option(random, k);
    float2 w = weights(o);
    float value = leaf(o, i);
    mine[i] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = STEPS; n > 0; n--) {
        if (i < n)
            value = w.x * mine[i + 1] + w.y * value;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n)
            mine[i] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0)
        out[k] = value;
}
