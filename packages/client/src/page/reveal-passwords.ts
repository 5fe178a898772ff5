/** Lets the buttons next to passwords show and hide them. Without this script, the buttons are hidden. */
export function revealPasswords(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-reveal]")) {
    const input = document.getElementById(button.getAttribute("aria-controls") ?? "")
    if (input instanceof HTMLInputElement) setUp(button, input)
  }
}

function setUp(button: HTMLButtonElement, input: HTMLInputElement): void {
  const reveal = (isVisible: boolean) => {
    input.type = isVisible ? "text" : "password"
    button.setAttribute("aria-pressed", String(isVisible))
  }
  button.addEventListener("click", () => reveal(input.type === "password"))
  // Browsers may keep what was typed into a text field, and password managers look for a password field.
  input.form?.addEventListener("submit", () => reveal(false))
  button.hidden = false
}
