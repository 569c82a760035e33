if vim.g.loaded_kls or vim.fn.has('nvim-0.7') == 0 then return end
vim.g.loaded_kls = true

local command = vim.api.nvim_create_user_command

command('KlsPreview', function(c) require('kls.preview').preview(c.args) end,
  { nargs = '?', desc = 'what this kustomization renders, or one resource of it' })
command('KlsPreviewDiff', function(c) require('kls.preview').diff(c.args) end,
  { nargs = '?', complete = function() return { 'base', 'head' } end, desc = 'what this kustomization changes' })
command('KlsSet', function(c) require('kls.set').set(c.args) end,
  { nargs = '?', desc = 'change the rendered value under the cursor' })
command('KlsExplain', function() require('kls.preview').explain() end, { desc = 'where the value under the cursor comes from' })
