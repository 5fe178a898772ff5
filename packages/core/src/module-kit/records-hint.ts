export const recordsHint =
  "Use an adapter of Latchkey, or set `records` to the records of one, such as `records: postgres(pool).records`"
