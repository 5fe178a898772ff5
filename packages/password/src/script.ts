/** A checkbox below each new password shows what was typed. */
const script = `for (const input of document.querySelectorAll("input[data-show]")) {
  const label = document.createElement("label")
  const box = document.createElement("input")
  box.type = "checkbox"
  box.addEventListener("change", () => { input.type = box.checked ? "text" : "password" })
  input.form.addEventListener("submit", () => { input.type = "password" })
  label.append(box, " ", input.dataset.show)
  input.after(label)
}`

export default script
