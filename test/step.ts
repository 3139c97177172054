/** Of all the bytes or runs that a test could try, one in so many. More than one only while mutants are tried: they run a test thousands of times. */
export const STEP = Number(process.env['COUNTERSIGN_STEP'] ?? 1);
