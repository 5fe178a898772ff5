/** Writes times in the time zone of the user, which the server doesn't know. */
export function localTimes(): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })
  for (const time of document.querySelectorAll("time")) time.textContent = format.format(new Date(time.dateTime))
}
