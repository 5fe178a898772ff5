/** Disables the button that sends an email again until it's time. Without this script, only the server limits it. */
export function countDown(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-resend]")) {
    const button = form.querySelector("button")
    const countdown = form.querySelector<HTMLElement>("[data-countdown]")
    const status = form.querySelector<HTMLElement>("[data-ready]")
    const seconds = Number(form.dataset["resend"])
    if (button && countdown && status && seconds > 0) start({ button, countdown, status }, seconds)
  }
}

interface Parts {
  readonly button: HTMLButtonElement
  readonly countdown: HTMLElement
  readonly status: HTMLElement
}

function start({ button, countdown, status }: Parts, seconds: number): void {
  const ends = Date.now() + seconds * 1000
  button.disabled = true
  show(seconds)
  countdown.hidden = false
  // Browsers pause timers in the background, so the time is read each time.
  const timer = setInterval(() => {
    const left = Math.ceil((ends - Date.now()) / 1000)
    if (left > 0) return show(left)
    clearInterval(timer)
    button.disabled = false
    countdown.hidden = true
    // Screen readers say this once, and not each second.
    status.textContent = status.dataset["ready"] ?? ""
  }, 1000)

  function show(left: number): void {
    const when = new Intl.RelativeTimeFormat(document.documentElement.lang).format(left, "second")
    countdown.textContent = countdown.dataset["countdown"]?.replace("{when}", when) ?? ""
  }
}
