static int twice(int x)
{
	return 2 * x; /* [31mred ~. */
}
