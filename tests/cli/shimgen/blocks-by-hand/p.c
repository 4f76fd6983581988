int in = 3, out;
static int helper(int x)
{
  /* Gain: '<S2>/H' */
  return x * 2;
}
void step(int c)
{
  /* Sum: '<S1>/B' */
  out = in + c;
  /* Gain: '<S1>/A' incorporates:
   *  Constant: '<S1>/K'
   */
  if (c & 1) {
    out = helper(out);
  }
  /* Memory: '<S1>/Never' */
  if (c > 99) out = 0;
  /* Logic: '<S1>/Gone' */
}
int main(void)
{
  for (int i = 0; i < 4; i++) step(i);
  out = helper(7);
  return 0;
}
