/** When the user opens another form of the sign-in page, it gets the email or name that they already entered. */
export function carryIdentifier(): void {
  const identifiers = [...document.querySelectorAll<HTMLInputElement>("input[data-identifier]")]
  let latest: HTMLInputElement | undefined
  for (const input of identifiers) input.addEventListener("input", () => (latest = input))

  for (const summary of document.querySelectorAll("details > summary")) {
    const details = summary.parentElement
    if (!(details instanceof HTMLDetailsElement)) continue
    // `toggle` alone also fires for a form that is open when the page loads.
    summary.addEventListener("click", () => {
      if (details.open) return
      details.addEventListener("toggle", () => open(details), { once: true })
    })
  }

  function open(details: HTMLDetailsElement): void {
    const target = identifiers.find((input) => details.contains(input))
    const source = latest?.value ? latest : identifiers.find(({ value }) => value !== "")
    if (target?.value === "" && source !== undefined) {
      target.value = source.value
      // A name isn't an email.
      if (!target.validity.valid) target.value = ""
    }
    const fields = [...details.querySelectorAll("input")].filter(({ type }) => type !== "hidden")
    const next = fields.find(({ value }) => value === "") ?? fields[0]
    next?.focus()
  }
}
