import { Failure } from "./failure.js"

/** Questions to the person at the terminal. */
export interface Ask {
  /** Empty when nothing was typed. */
  text(question: string, options?: { readonly placeholder?: string | undefined }): Promise<string>
  /** What is typed is not shown. */
  secret(question: string): Promise<string>
  /** The answer to just pressing Enter is `fallback`. */
  confirm(question: string, fallback: boolean): Promise<boolean>
  choose(question: string, options: readonly string[]): Promise<string>
}

export const clackAsk: Ask = {
  async text(question, { placeholder } = {}) {
    const { text } = await import("@clack/prompts")
    return answered(await text({ message: question, ...(placeholder === undefined ? {} : { placeholder }) })) ?? ""
  },
  async secret(question) {
    const { password } = await import("@clack/prompts")
    return answered(await password({ message: question })) ?? ""
  },
  async confirm(question, fallback) {
    const { confirm } = await import("@clack/prompts")
    return answered(await confirm({ message: question, initialValue: fallback }))
  },
  async choose(question, options) {
    const { select } = await import("@clack/prompts")
    return answered(await select({ message: question, options: options.map((value) => ({ value, label: value })) }))
  },
}

/** Ctrl-C at a question gives a symbol. */
function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === "symbol") throw new Failure("Stopped: nothing was written")
  return answer as Exclude<T, symbol>
}
