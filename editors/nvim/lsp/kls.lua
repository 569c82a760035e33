-- For vim.lsp.enable('kls'), Neovim 0.11 and newer.
return {
  cmd = { 'kls', 'lsp' },
  filetypes = { 'yaml', 'json' },
  root_dir = function(buffer, found)
    local root = require('kls').root_of(vim.api.nvim_buf_get_name(buffer))
    if root then found(root) end
  end,
  init_options = require('kls').init_options(),
  handlers = require('kls').handlers(),
}
