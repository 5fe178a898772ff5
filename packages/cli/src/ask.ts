import { Failure } from "./failure.js"

/** Asks questions in the terminal. */
export interface Ask {
  /** Empty if the user typed nothing. */
  text(question: string, options?: { readonly placeholder?: string | undefined }): Promise<string>
  /** Hides the typed text. */
  secret(question: string): Promise<string>
  /** Enter alone answers with `fallback`. */
  confirm(question: string, fallback: boolean): Promise<boolean>
  choose(question: string, options: readonly string[]): Promise<string>
}

export const clackAsk: Ask = {
  async text(question, { placeholder } = {}) {
    const { text } = await import("@clack/prompts")
    return answerOf(await text({ message: question, ...(placeholder === undefined ? {} : { placeholder }) })) ?? ""
  },
  async secret(question) {
    const { password } = await import("@clack/prompts")
    return answerOf(await password({ message: question })) ?? ""
  },
  async confirm(question, fallback) {
    const { confirm } = await import("@clack/prompts")
    return answerOf(await confirm({ message: question, initialValue: fallback }))
  },
  async choose(question, options) {
    const { select } = await import("@clack/prompts")
    return answerOf(await select({ message: question, options: options.map((value) => ({ value, label: value })) }))
  },
}

/** Ctrl-C answers with a symbol. */
function answerOf<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === "symbol") throw new Failure("Canceled. No file was changed.")
  return answer as Exclude<T, symbol>
}
