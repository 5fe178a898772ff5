/** The seconds that the server's clock is ahead of this machine's. Negative if it's behind. */
export function aheadOf({ headers }: Response): number | undefined {
  const date = Date.parse(headers.get("date") ?? "")
  return Number.isNaN(date) ? undefined : Math.round((date - Date.now()) / 1000)
}
