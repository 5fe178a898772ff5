/** The edge runtime has no Cache Components. */
export function requestTime(): Promise<void> {
  return Promise.resolve()
}
