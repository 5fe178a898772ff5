/** Cleans a typed or pasted code: emails show it as `123 456`, and users copy the words around it. Digits are sent once they're complete. */
export function cleanCodes(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("input[data-code]")) {
    const length = Number(input.dataset["code"]) || input.maxLength
    const others = input.inputMode === "numeric" ? /\P{Nd}/gu : /[\s\p{Pd}\p{Cf}]/gu
    const clean = (text: string) => text.normalize("NFKC").replace(others, "").slice(0, length)

    input.addEventListener("input", (event) => {
      const { value, selectionStart } = input
      const cleaned = clean(value)
      // Replacing the text of an input method's composition would break it.
      if (cleaned === value || (event instanceof InputEvent && event.isComposing)) return
      const caret = clean(value.slice(0, selectionStart ?? value.length)).length
      input.value = cleaned
      input.setSelectionRange(caret, caret)
    })
    sendWhenComplete(input, length)
    markBoxes(input)
  }
}

/** Only if the page says so: users of screen readers have to know before they type (WCAG 2.2 §3.2.2). */
function sendWhenComplete(input: HTMLInputElement, length: number): void {
  const notice = input.form?.querySelector<HTMLElement>("[data-sends]")
  if (!notice) return
  notice.hidden = false
  input.addEventListener("input", () => {
    if (input.value.length === length) input.form?.requestSubmit()
  })
}

/** The input looks like a box for each character. The box that the caret is in looks focused. */
function markBoxes(input: HTMLInputElement): void {
  const boxes = [...(input.parentElement?.querySelectorAll("span") ?? [])]
  const mark = () => {
    const at = document.activeElement === input ? Math.min(input.selectionStart ?? 0, boxes.length - 1) : -1
    boxes.forEach((box, index) => box.classList.toggle("next", index === at))
  }
  document.addEventListener("selectionchange", mark)
  input.addEventListener("focus", mark)
  input.addEventListener("blur", mark)
  mark()
}
