import NextAuth from "next-auth"
import FortyTwo from "next-auth/providers/42-school"
import Apple from "next-auth/providers/apple"
import Asgardeo from "next-auth/providers/asgardeo"
import Atlassian from "next-auth/providers/atlassian"
import Auth0 from "next-auth/providers/auth0"
import Authentik from "next-auth/providers/authentik"
import AzureAD from "next-auth/providers/azure-ad"
import AzureADB2C from "next-auth/providers/azure-ad-b2c"
import AzureDevOps from "next-auth/providers/azure-devops"
import BankIDNorway from "next-auth/providers/bankid-no"
import BattleNet from "next-auth/providers/battlenet"
import BeyondIdentity from "next-auth/providers/beyondidentity"
import Bitbucket from "next-auth/providers/bitbucket"
import Box from "next-auth/providers/box"
import SAMLJackson from "next-auth/providers/boxyhq-saml"
import Bungie from "next-auth/providers/bungie"
import ClickUp from "next-auth/providers/click-up"
import Cognito from "next-auth/providers/cognito"
import Coinbase from "next-auth/providers/coinbase"
import Concept2 from "next-auth/providers/concept2"
import Descope from "next-auth/providers/descope"
import Discord from "next-auth/providers/discord"
import Dribbble from "next-auth/providers/dribbble"
import Dropbox from "next-auth/providers/dropbox"
import DuendeIdentityServer6 from "next-auth/providers/duende-identity-server6"
import Eventbrite from "next-auth/providers/eventbrite"
import EVEOnline from "next-auth/providers/eveonline"
import Facebook from "next-auth/providers/facebook"
import FACEIT from "next-auth/providers/faceit"
import Figma from "next-auth/providers/figma"
import Foursquare from "next-auth/providers/foursquare"
import Freshbooks from "next-auth/providers/freshbooks"
import Frontegg from "next-auth/providers/frontegg"
import FusionAuth from "next-auth/providers/fusionauth"
import GitHub from "next-auth/providers/github"
import GitLab from "next-auth/providers/gitlab"
import Google from "next-auth/providers/google"
import HubSpot from "next-auth/providers/hubspot"
import Huggingface from "next-auth/providers/huggingface"
import IdentityServer4 from "next-auth/providers/identity-server4"
import Instagram from "next-auth/providers/instagram"
import Kakao from "next-auth/providers/kakao"
import Keycloak from "next-auth/providers/keycloak"
import Kinde from "next-auth/providers/kinde"
import LINE from "next-auth/providers/line"
import LinkedIn from "next-auth/providers/linkedin"
import Logto from "next-auth/providers/logto"
import Mailchimp from "next-auth/providers/mailchimp"
import Mailru from "next-auth/providers/mailru"
import Mastodon from "next-auth/providers/mastodon"
import Mattermost from "next-auth/providers/mattermost"
import Medium from "next-auth/providers/medium"
import MicrosoftEntraID from "next-auth/providers/microsoft-entra-id"
import Naver from "next-auth/providers/naver"
import Netlify from "next-auth/providers/netlify"
import NetSuite from "next-auth/providers/netsuite"
import Nextcloud from "next-auth/providers/nextcloud"
import Notion from "next-auth/providers/notion"
import Okta from "next-auth/providers/okta"
import OneLogin from "next-auth/providers/onelogin"
import OryHydra from "next-auth/providers/ory-hydra"
import Osso from "next-auth/providers/osso"
import Osu from "next-auth/providers/osu"
import Passage from "next-auth/providers/passage"
import Patreon from "next-auth/providers/patreon"
import PingId from "next-auth/providers/ping-id"
import Pinterest from "next-auth/providers/pinterest"
import Pipedrive from "next-auth/providers/pipedrive"
import Reddit from "next-auth/providers/reddit"
import Roblox from "next-auth/providers/roblox"
import Salesforce from "next-auth/providers/salesforce"
import SimpleLogin from "next-auth/providers/simplelogin"
import Slack from "next-auth/providers/slack"
import Spotify from "next-auth/providers/spotify"
import Strava from "next-auth/providers/strava"
import Threads from "next-auth/providers/threads"
import TikTok from "next-auth/providers/tiktok"
import Todoist from "next-auth/providers/todoist"
import Trakt from "next-auth/providers/trakt"
import Twitch from "next-auth/providers/twitch"
import Twitter from "next-auth/providers/twitter"
import UnitedEffects from "next-auth/providers/united-effects"
import Vipps from "next-auth/providers/vipps"
import VK from "next-auth/providers/vk"
import Webex from "next-auth/providers/webex"
import WeChat from "next-auth/providers/wechat"
import Wikimedia from "next-auth/providers/wikimedia"
import WordPress from "next-auth/providers/wordpress"
import WorkOS from "next-auth/providers/workos"
import Yandex from "next-auth/providers/yandex"
import ZITADEL from "next-auth/providers/zitadel"
import Zoho from "next-auth/providers/zoho"
import Zoom from "next-auth/providers/zoom"

const client = { clientId: process.env["CLIENT_ID"], clientSecret: process.env["CLIENT_SECRET"] }
const issuer = process.env["ISSUER"]
/** Some ask for texts. */
const base = "https://sso.example.com"

/** As values, called without anything, and called with what their services need. */
export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    FortyTwo,
    Apple,
    Asgardeo({ ...client, issuer }),
    Atlassian,
    Auth0({ ...client, issuer }),
    Authentik({ ...client, issuer }),
    AzureAD,
    AzureADB2C({ ...client, issuer, authorization: { params: { scope: "offline_access openid" } } }),
    AzureDevOps,
    BankIDNorway,
    BattleNet({ ...client, issuer: "https://oauth.battle.net" }),
    BeyondIdentity({ ...client, issuer }),
    Bitbucket,
    Box,
    SAMLJackson({ clientId: "dummy", clientSecret: "dummy", issuer }),
    Bungie,
    ClickUp,
    Cognito({ ...client, issuer }),
    Coinbase,
    Concept2,
    Descope,
    Discord({
      authorization: "https://discord.com/api/oauth2/authorize?scope=identify+email+guilds",
      profile: (profile) => ({ id: profile.id, name: profile.global_name ?? profile.username, email: profile.email }),
    }),
    Dribbble,
    Dropbox,
    DuendeIdentityServer6({ ...client, issuer }),
    Eventbrite,
    EVEOnline,
    Facebook,
    FACEIT,
    Figma,
    Foursquare,
    Freshbooks,
    Frontegg({ ...client, issuer }),
    FusionAuth({ ...client, issuer }),
    GitHub({
      ...client,
      enterprise: { baseUrl: "https://github.example.com" },
      authorization: { params: { scope: "read:user user:email repo" } },
      profile: (profile) => ({
        id: profile.id.toString(),
        name: profile.name ?? profile.login,
        email: profile.email,
        image: profile.avatar_url,
        bio: profile.bio,
        url: profile.html_url,
      }),
    }),
    GitLab({ ...client, baseUrl: "https://gitlab.example.com" }),
    Google({
      ...client,
      allowDangerousEmailAccountLinking: true,
      authorization: { params: { prompt: "consent", access_type: "offline", response_type: "code" } },
      profile: (profile) => ({ id: profile.sub, name: profile.name, email: profile.email, image: profile.picture }),
    }),
    HubSpot,
    Huggingface,
    IdentityServer4({ ...client, issuer }),
    Instagram,
    Kakao,
    Keycloak({ ...client, issuer, profile: (profile) => ({ id: profile.sub, name: profile.preferred_username }) }),
    Kinde({ ...client, issuer }),
    LINE,
    LinkedIn,
    Logto({ ...client, issuer }),
    Mailchimp,
    Mailru,
    Mastodon({ ...client, issuer: base }),
    Mattermost({ ...client, issuer: base }),
    Medium,
    MicrosoftEntraID({ ...client, issuer, profilePhotoSize: 96 }),
    Naver,
    Netlify,
    NetSuite({
      ...client,
      issuer: "https://system.netsuite.com",
      accountID: "1",
      prompt: "none",
      scope: "restlets",
      userinfo: "https://1.restlets.api.netsuite.com/app",
    }),
    Nextcloud({ ...client, issuer: base }),
    Notion,
    Okta({ ...client, issuer }),
    OneLogin({ ...client, issuer }),
    OryHydra({ ...client, issuer }),
    Osso({ ...client, issuer: base }),
    Osu,
    Passage({ ...client, issuer }),
    Patreon,
    PingId({ ...client, issuer }),
    Pinterest,
    Pipedrive,
    Reddit,
    Roblox,
    Salesforce,
    SimpleLogin,
    Slack,
    Spotify,
    Strava,
    Threads,
    TikTok,
    Todoist,
    Trakt,
    Twitch,
    Twitter,
    UnitedEffects({ ...client, issuer: base }),
    Vipps,
    VK,
    Webex,
    WeChat,
    Wikimedia,
    WordPress,
    WorkOS({ connection: "conn_123" }),
    Yandex,
    ZITADEL({ ...client, issuer }),
    Zoho,
    Zoom,
  ],
})
