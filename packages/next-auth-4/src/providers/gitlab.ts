import core, { type GitLabOptions, type GitLabProfile } from "@latchkey/core/providers/gitlab"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/gitlab"

const GitLab: ProviderFactory<GitLabProfile, Partial<GitLabOptions>> = providerOf(core, { checks: ["pkce", "state"] })

export default GitLab
