#ifndef RTWTYPES_H
#define RTWTYPES_H
#include <stdint.h>
typedef int8_t int8_T;
typedef uint8_t uint8_T;
typedef int16_t int16_T;
typedef uint16_t uint16_T;
typedef int32_t int32_T;
typedef uint32_t uint32_T;
typedef int64_t int64_T;
typedef uint8_T boolean_T;
typedef double real_T;
typedef float real32_T;
#endif
