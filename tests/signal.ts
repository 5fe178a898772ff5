/** What one flow waits for, and another one sends. */
export interface Signal {
  readonly sent: Promise<void>
  send(): void
}

export function signal(): Signal {
  let send = (): void => undefined
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  return { sent, send: () => send() }
}
