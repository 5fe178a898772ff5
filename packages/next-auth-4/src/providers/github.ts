import core, { type GitHubOptions, type GitHubProfile } from "@latchkey/core/providers/github"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/github"
export type { GitHubProfile as GithubProfile } from "@latchkey/core/providers/github"
export type { GitHubEmail as GithubEmail } from "@latchkey/core/providers/github"

const Github: ProviderFactory<GitHubProfile, Partial<GitHubOptions>> = providerOf(core)

export default Github
