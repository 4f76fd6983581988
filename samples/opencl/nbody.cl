/* Gravity of n bodies (x, y, z, mass) on each of them: accelerations. With local memory: the bodies of a tile in it. */
#define SOFTENING 0.01f

static float4 pull(float4 sum, float4 here, float4 there)
{
    float dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
    float r2 = dx * dx + dy * dy + dz * dz + SOFTENING, r = rsqrt(r2), s = there.w * r * r * r;
    sum.x += dx * s;
    sum.y += dy * s;
    sum.z += dz * s;
    return sum;
}

__kernel void nbody_global(__global const float4 *bodies, __global float4 *forces, int n)
{
    int i = get_global_id(0);
    float4 here = bodies[i], sum = 0;
    for (int k = 0; k < n; k++)
        sum = pull(sum, here, bodies[k]);
    forces[i] = sum;
}

__kernel void nbody_local(__global const float4 *bodies, __global float4 *forces, int n, __local float4 *tile)
{
    int i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);
    float4 here = bodies[i], sum = 0;
    for (int t = 0; t < n; t += size) {
        tile[l] = bodies[t + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < size; k++)
            sum = pull(sum, here, tile[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    forces[i] = sum;
}
