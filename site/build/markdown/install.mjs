/** @typedef {"npm" | "pnpm" | "yarn" | "bun"} Manager */

/** What npm's commands are called. @type {readonly { pattern: RegExp, commands: Readonly<Record<Manager, string>> }[]} */
const translations = [
  {
    pattern: /^npm install (?:--save-dev|-D) (?<rest>.+)$/,
    commands: { npm: "npm install -D ", pnpm: "pnpm add -D ", yarn: "yarn add -D ", bun: "bun add -d " },
  },
  {
    pattern: /^npm install (?<rest>[^-].*)$/,
    commands: { npm: "npm install ", pnpm: "pnpm add ", yarn: "yarn add ", bun: "bun add " },
  },
  {
    pattern: /^npm init -y$/,
    commands: { npm: "npm init -y", pnpm: "pnpm init", yarn: "yarn init -y", bun: "bun init -y" },
  },
  {
    pattern: /^npm pkg set (?<rest>\S+)$/,
    commands: { npm: "npm pkg set ", pnpm: "pnpm pkg set ", yarn: "npm pkg set ", bun: "npm pkg set " },
  },
]

const managers = /** @type {const} */ (["npm", "pnpm", "yarn", "bun"])

/**
 * A block that installs packages with npm gets tabs for the other package managers. Others stay as they are, such as those
 * with packed files, which only npm installs without a registry.
 * @param {import("vitepress").MarkdownRenderer} md
 */
export function install(md) {
  md.core.ruler.after("block", "package-managers", (state) => {
    state.tokens = state.tokens.flatMap((token) => {
      if (token.type !== "fence" || !/^(?:sh|bash)\s*$/.test(token.info)) return [token]
      const commands = managers.map((manager) => translate(token.content, manager))
      if (!token.content.includes("npm install ") || commands.includes(undefined)) return [token]
      const open = new state.Token("container_code-group_open", "div", 1)
      const close = new state.Token("container_code-group_close", "div", -1)
      open.block = close.block = true
      const fences = managers.map((manager, index) => {
        const fence = new state.Token("fence", "code", 0)
        return Object.assign(fence, {
          info: `sh [${manager}]`,
          content: commands[index] ?? "",
          markup: "```",
          block: true,
          map: token.map,
        })
      })
      return [open, ...fences, close]
    })
  })
}

/** @param {string} script @param {Manager} manager @returns {string | undefined} */
function translate(script, manager) {
  const lines = script
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (line.includes("$")) return undefined
      const found = translations.find(({ pattern }) => pattern.test(line))
      return found && `${found.commands[manager]}${found.pattern.exec(line)?.groups?.["rest"] ?? ""}`
    })
  return lines.includes(undefined) ? undefined : `${lines.join("\n")}\n`
}
