/** Whether arrays and objects are nested in more than this many levels. The value comes from JSON, so it has no cycles. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((item) => nestsDeeper(item, levels - 1))
}
