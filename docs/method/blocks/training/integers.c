/*
 * File: integers.c
 *
 * Written by hand in the style of code generated for Simulink model 'integers': not judged, for looking at causes of errors.
 */
#include <stdio.h>
#include "../rtwtypes.h"
typedef struct { int32_T Line[16]; int32_T Sum; uint32_T Head; int32_T Last; int32_T Rate; uint8_T State; uint32_T Crc; int32_T Hist[8]; } DW_T;
DW_T integers_DW; int32_T integers_In[4], integers_Out[4]; uint32_T integers_Word;
static const int32_T integers_Tab[9] = {0, 12, 50, 140, 300, 512, 900, 1400, 2100};
void integers_step(void)
{
  int32_T i, x, y, k, mean, lim; uint32_T c;
  /* S-Function (sfix_dot): '<S1>/Weighted' */
  x = 0;
  for (i = 0; i < 4; i++) { x += integers_In[i] * (3 + i); }
  x >>= 2;
  /* Sum: '<S1>/Moving mean' incorporates:
   *  Delay: '<S1>/Line'
   */
  integers_DW.Sum += x - integers_DW.Line[integers_DW.Head];
  integers_DW.Line[integers_DW.Head] = x;
  integers_DW.Head = (integers_DW.Head + 1U) & 15U;
  mean = integers_DW.Sum / 16;
  /* Lookup_n-D: '<S2>/Limit' */
  k = mean >> 8; if (k < 0) { k = 0; } else if (k > 7) { k = 7; }
  lim = integers_Tab[k] + (((integers_Tab[k + 1] - integers_Tab[k]) * (mean & 255)) >> 8);
  /* RateLimiter: '<S2>/Rate Limiter' */
  y = x - integers_DW.Last;
  if (y > lim) { y = lim; } else if (y < -lim) { y = -lim; }
  integers_DW.Last += y;
  /* DataTypeConversion: '<S2>/Convert' */
  integers_Out[0] = (int16_T)(integers_DW.Last >> 1);
  /* S-Function (crc): '<S3>/Crc' */
  c = integers_DW.Crc ^ (uint32_T)integers_DW.Last;
  for (i = 0; i < 8; i++) { c = (c & 1U) ? (c >> 1) ^ 0xEDB88320U : c >> 1; }
  integers_DW.Crc = c;
  /* Logic: '<S3>/State' */
  switch (integers_DW.State) {
   case 0: if (mean > 400) { integers_DW.State = 1U; } break;
   case 1: if (mean > 900) { integers_DW.State = 2U; } else if (mean < 200) { integers_DW.State = 0U; } break;
   default: if (mean < 600) { integers_DW.State = 1U; } break;
  }
  /* Selector: '<S4>/Sort' */
  for (i = 7; i > 0; i--) { integers_DW.Hist[i] = integers_DW.Hist[i - 1]; }
  integers_DW.Hist[0] = y;
  /* MinMax: '<S4>/Max' */
  k = integers_DW.Hist[0];
  for (i = 1; i < 8; i++) { if (integers_DW.Hist[i] > k) { k = integers_DW.Hist[i]; } }
  integers_Out[1] = k;
  /* Product: '<S4>/Ratio' */
  integers_Out[2] = (integers_DW.Last * 100) / (k > 0 ? k : 1);
  /* Gain: '<S4>/Scale' */
  integers_Out[3] = (int32_T)(((int64_t)integers_Out[2] * 19661) >> 15);
}
int main(void)
{
  uint32_T s = 7U; int32_T n, i;
  for (n = 0; n < 1500; n++) { for (i = 0; i < 4; i++) { s = s * 1103515245U + 12345U; integers_In[i] = (int32_T)(s >> 22) - 100; } integers_step(); }
  printf("%d %d %d %d %u\n", integers_Out[0], integers_Out[1], integers_Out[2], integers_Out[3], integers_DW.Crc); return 0;
}
