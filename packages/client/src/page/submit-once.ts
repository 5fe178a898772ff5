/** Milliseconds. A form that the browser gave up on can be sent again without a reload. */
const lockedFor = 10_000

/** A second click would send a code or link that the first one has already used up, and show its error instead. */
export function submitOnce(): void {
  const releases = new Map<HTMLFormElement, () => void>()

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event
    // The passkey form sends itself later.
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    if (releases.has(form)) return event.preventDefault()
    // A `disabled` button would lose the focus, and its name and value wouldn't be sent.
    submitter?.setAttribute("aria-disabled", "true")
    const timer = setTimeout(() => releases.get(form)?.(), lockedFor)
    releases.set(form, () => {
      clearTimeout(timer)
      releases.delete(form)
      submitter?.removeAttribute("aria-disabled")
    })
  })

  // The user came back to this page from the back/forward cache.
  addEventListener("pageshow", () => {
    for (const release of releases.values()) release()
  })
}
