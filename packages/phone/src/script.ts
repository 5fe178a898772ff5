/** Fills the code of the message in, where the browser asks its user for it: https://wicg.github.io/web-otp */
const script = `const input = document.querySelector('input[autocomplete="one-time-code"]')
if (input && "OTPCredential" in window) {
  const abort = new AbortController()
  input.form.addEventListener("submit", () => abort.abort())
  navigator.credentials.get({ otp: { transport: ["sms"] }, signal: abort.signal })
    .then(({ code }) => { input.value = code; input.form.requestSubmit() })
    .catch(() => {})
}`

export default script
