/** What is said where a command would run git in a workspace that is not trusted. */
export const untrusted = 'Comparing with HEAD runs git in this workspace, which is not trusted.';
