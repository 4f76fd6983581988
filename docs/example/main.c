/* A drive: 2000 steps of the controller with a plant that is no more than an inertia and a motor that warms up. */
#include <stdio.h>

#include "controller.h"

int main(void)
{
    double speed = 0.0, heat = 25.0;
    controller_initialize();
    for (int step = 0; step < 2000; step++) {
        controller_U.Enable = step > 20 && step < 1800;
        controller_U.Pedal = step < 600 ? step / 600.0 : step < 1200 ? 1.0 : 0.3;
        controller_U.SpeedPulses = speed / 7.5;
        for (int i = 0; i < 4; i++)
            controller_U.Temperature[i] = heat + 2.0 * i;
        controller_step();
        speed += 0.05 * controller_Y.Torque - 0.002 * speed;
        heat += 0.02 * (controller_Y.Torque > 0.0 ? controller_Y.Torque : 0.0) - 0.01 * (heat - 25.0) * (1.0 + controller_Y.Fan);
    }
    printf("speed %.1f rpm, motor %.1f C, mode %d\n", speed, heat, controller_Y.Mode);
    return 0;
}
