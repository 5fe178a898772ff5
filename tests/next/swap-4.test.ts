import { upgradeFromVersion4 } from "./swap-4.js"

upgradeFromVersion4(16)
