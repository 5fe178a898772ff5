/** Seconds that the clock of who answered is ahead of ours; negative: behind. */
export function aheadOf({ headers }: Response): number | undefined {
  const date = Date.parse(headers.get("date") ?? "")
  return Number.isNaN(date) ? undefined : Math.round((date - Date.now()) / 1000)
}
