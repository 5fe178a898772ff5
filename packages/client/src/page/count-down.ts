/** Disables the button that sends an email again until it's time. Without this script, only the server limits it. */
export function countDown(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-resend]")) {
    const button = form.querySelector<HTMLButtonElement>("button[data-countdown]")
    const status = form.querySelector<HTMLElement>("[data-ready]")
    const seconds = Number(form.dataset["resend"])
    if (button && status && seconds > 0) start(button, status, seconds)
  }
}

function start(button: HTMLButtonElement, status: HTMLElement, seconds: number): void {
  const label = button.textContent
  const ends = Date.now() + seconds * 1000
  button.disabled = true
  show(seconds)
  // Browsers pause timers in the background, so the time is read each time.
  const timer = setInterval(() => {
    const left = Math.ceil((ends - Date.now()) / 1000)
    if (left > 0) return show(left)
    clearInterval(timer)
    button.disabled = false
    button.textContent = label
    // Screen readers say this once, and not each second.
    status.textContent = status.dataset["ready"] ?? ""
  }, 1000)

  function show(left: number): void {
    const when = new Intl.RelativeTimeFormat(document.documentElement.lang).format(left, "second")
    button.textContent = button.dataset["countdown"]?.replace("{when}", when) ?? ""
  }
}
